/** Remarks and difficulties that a verdict mentions. */
import { Budget } from '../../../src/budget';
import { VerificationLog } from '../../../src/engines/portfolio/verificationLog';
import type { Problem } from '../../../src/engines/problem';
import { loadProgram } from '../../../src/program';
import { file, task } from '../task';

const logOf = (adequacy: boolean): VerificationLog => {
  const program = loadProgram([file('int f(void) { return 1; }')]);
  const solver = { statistics: { queries: 0, milliseconds: 0 }, name: Promise.resolve('none') };
  const problem: Partial<Problem> = {
    task: task('f.c', { adequacy }),
    program,
    entries: program.functions,
    init: undefined,
    checkedProperties: new Set(),
    initialisers: new Map(),
    solvers: { instances: solver } as unknown as Problem['solvers'],
  };
  const log = new VerificationLog(problem as Problem, Budget.start({ milliseconds: 1000 }), {});
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
