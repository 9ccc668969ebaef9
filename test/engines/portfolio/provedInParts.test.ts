/** A search that is cut short when all checks were proved, each in a part of the module. */
import { askedIn } from '../../../src/evidence/certificates/certify';
import { Budget } from '../../../src/budget';
import { type Engine, nothingKnown } from '../../../src/engines/engine';
import { houdiniOf } from '../../../src/engines/invariants/houdiniEngine';
import { sampling } from '../../../src/engines/invariants/sampling';
import { AlarmReports } from '../../../src/engines/portfolio/alarmReports';
import { Certification } from '../../../src/engines/portfolio/certification';
import { Counterexamples } from '../../../src/engines/portfolio/counterexamples';
import { withEveryCheck } from '../../../src/engines/portfolio/everyCheck';
import { PortfolioRun } from '../../../src/engines/portfolio/portfolioRun';
import { VerificationLog } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { decide } from '../../../src/engines/reduced/decide';
import { components } from '../../../src/reductions/components';
import { isDeclined } from '../../../src/reductions/reduction';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';

jest.setTimeout(120_000);

const counter = (i: number): string => `
static int table${i}[16], used${i};
int put${i}(int v) { if (used${i} >= 16) return -1; table${i}[used${i}++] = v; return 0; }
int last${i}(void) { return used${i} > 0 ? table${i}[used${i} - 1] : 0; }
`;

/** The verdict of a run that learns the proofs of so many parts and then has no time. */
async function cutShort(known: 'all parts' | 'all but one'): Promise<Verdict> {
  const asked = task(file(counter(0) + counter(1)), { mode: 'module', budget: { milliseconds: 100_000 } });
  const budget = Budget.start(asked.budget);
  const problem = Problem.examine(asked, budget, {});
  const proofs: Engine = {
    name: 'reduced:components',
    applies: () => undefined,
    run: async () => {
      const parts = components.reduce(problem.system, new Set(askedIn(problem.system)), () => false);
      if (isDeclined(parts)) throw new Error(parts.why);
      const learned = [];
      for (const part of known === 'all parts' ? parts : parts.slice(1)) {
        const options = { sampled: 'as it is', engineShare: 1 } as const;
        const found = await decide(problem, part, [sampling, houdiniOf('basic')], budget, options);
        if (found.kind === 'safe') learned.push(found.abstraction);
      }
      return { kind: 'unknown', reason: undefined, learned: { ...nothingKnown, parts: learned } };
    },
  };
  try {
    const log = new VerificationLog(problem, budget, {});
    const certification = new Certification(problem, budget, log);
    const counterexamples = new Counterexamples(problem, budget, log);
    const alarmReports = new AlarmReports(problem, budget, log, undefined);
    const verification = { problem, budget, log, certification, counterexamples, alarmReports };
    const run = new PortfolioRun({ stages: [{ engine: proofs }], lastResort: [] }, verification);
    await run.verdict();
    const undecided = log.unknown('houdini', { cause: 'time-budget', message: 'the budget is used up' });
    return await withEveryCheck(undecided, run, verification, budget, {});
  } finally {
    await problem.solvers.close();
  }
}

test('is a proof, with the invariants of all parts', async () => {
  const verdict = await cutShort('all parts');
  expect(verdict.kind).toBe('proved');
  expect(verdict.checks?.every(({ status }) => status === 'proved')).toBe(true);
  if (verdict.kind === 'proved')
    expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toMatch(/used0[^]*used1|used1[^]*used0/u);
});

test('is none if one part is open', async () => {
  const verdict = await cutShort('all but one');
  expect(verdict.kind).toBe('unknown');
  expect(new Set(verdict.checks?.map(({ status }) => status))).toEqual(new Set(['proved', 'open']));
});
