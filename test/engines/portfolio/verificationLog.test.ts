/** Remarks and difficulties that a verdict mentions. */
import { Budget } from '../../../src/budget';
import type { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { type LogOptions, VerificationLog } from '../../../src/engines/portfolio/verificationLog';
import type { Problem } from '../../../src/engines/problem';
import type { Alarm } from '../../../src/engines/testBasedAbstraction/testBasedAbstraction';
import { loadProgram } from '../../../src/program';
import type { Check } from '../../../src/program/command';
import type { Progress } from '../../../src/progress';
import { file, task } from '../task';

const checks = [1, 2, 3].map((start): Partial<Check> => ({
  kind: 'check',
  check: 'signed-overflow',
  span: { file: { path: 'f.c' }, start, end: start + 1 } as Check['span'],
})) as readonly Check[];

const logOf = (adequacy: boolean, options: LogOptions = {}): VerificationLog => {
  const program = loadProgram([file('int f(void) { return 1; }')]);
  const statistics = { queries: 0, milliseconds: 0 };
  const solver = { statistics, name: Promise.resolve('none') };
  const problem: Partial<Problem> = {
    task: task('f.c', { adequacy }),
    program,
    entries: program.functions,
    init: undefined,
    checkedProperties: new Set(),
    initialisers: new Map(),
    checks: checks.map((check) => ({ check, function: program.functions[0]! })),
    solvers: { instances: solver, statistics } as unknown as Problem['solvers'],
  };
  const log = new VerificationLog(problem as Problem, Budget.start({ milliseconds: 1000 }), options);
  log.remark('what everybody should know');
  log.difficulty('what went wrong');
  return log;
};

test('difficulties are mentioned where there is no proof and no bug', () => {
  expect(logOf(false).common('synergy').remarks).toEqual(['what everybody should know']);
  expect(logOf(false).unknown('synergy', { cause: 'time-budget', message: '' }).remarks).toEqual([
    'what everybody should know',
    'what went wrong',
  ]);
});

test('and where abstract states are counted, of which they may have made more', () => {
  expect(logOf(true).common('synergy').remarks).toEqual(['what everybody should know', 'what went wrong']);
});

describe('stages of the portfolio', () => {
  test('are listed in their order, with why they were skipped and what their reductions have made', () => {
    const log = logOf(false);
    log.onSkipped('long-runs', 'no loop was seen to be long');
    log.onReduction([{ size: '3 of 9 commands', checks: 1, outcome: 'open' }]);
    log.onEnd('reduced:slice:value+', 'nothing-new', 0.25);
    log.onReduction([], 'almost everything matters to each check');
    log.onEnd('reduced:slice:backward', 'nothing-new', 0.0104);
    log.onEnd('discharge', 'proof', 1);
    expect(log.statistics().stages).toEqual([
      { stage: 'long-runs', outcome: 'skipped', why: 'no loop was seen to be long' },
      {
        stage: 'reduced:slice:value+',
        outcome: 'nothing-new',
        seconds: 0.25,
        parts: [{ size: '3 of 9 commands', checks: 1, outcome: 'open' }],
      },
      {
        stage: 'reduced:slice:backward',
        outcome: 'nothing-new',
        seconds: 0.01,
        parts: [],
        why: 'almost everything matters to each check',
      },
      { stage: 'discharge', outcome: 'proof', seconds: 1 },
    ]);
  });

  test('a claim that was not confirmed', () => {
    const log = logOf(false);
    log.onEnd('discharge', 'proof', 1);
    const before = log.statistics();
    log.onRefused();
    expect(log.statistics().stages).toEqual([{ stage: 'discharge', outcome: 'refused', seconds: 1 }]);
    expect(before.stages).toMatchObject([{ outcome: 'proof' }]);
  });
});

describe('alarms', () => {
  const abstraction = (): PredicateAbstraction => ({}) as PredicateAbstraction;
  const alarmsOf = (one: PredicateAbstraction, ...failing: readonly number[]): readonly Alarm[] =>
    failing.map((at) => ({ abstraction: one, obligation: { check: checks[at]! } }) as Alarm);

  test('the strongest invariants are the first that leave the fewest checks open', () => {
    const log = logOf(false);
    const [none, small, enough, large] = [abstraction(), abstraction(), abstraction(), abstraction()];
    for (const one of [none, small, enough, large]) log.onProof(one);
    expect(log.strongest).toBeUndefined();
    log.onAlarms(alarmsOf(small, 0, 1, 2));
    log.onAlarms(alarmsOf(enough, 2, 2));
    log.onAlarms(alarmsOf(large, 2));
    expect(log.strongest).toBe(enough);
  });

  test('progress counts the checks without one, and never falls back', () => {
    const told: Progress[] = [];
    const log = logOf(false, { progress: (progress) => told.push(progress) });
    for (const failing of [[1, 2], [0, 1, 2], [2]]) {
      log.onAlarms(alarmsOf(abstraction(), ...failing));
      log.progress('solving', 0, 1);
    }
    expect(told.map((progress) => progress.checks?.proved)).toEqual([1, 1, 2]);
  });
});
