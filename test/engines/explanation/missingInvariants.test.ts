/** What would decide checks that are open: nothing is known but what runs have shown. */
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { missingInvariants } from '../../../src/engines/explanation/missingInvariants';
import { refutedInRuns } from '../../../src/engines/search/refutedInRuns';
import { sampling } from '../../../src/engines/invariants/sampling';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import * as L from '../../../src/logic/build';
import { askedIn } from '../../../src/evidence/certificates/certify';
import { file, task } from '../task';

async function factsOf(text: string) {
  const asked = task(file(text));
  const budget = Budget.start(asked.budget);
  const problem = Problem.examine(asked, budget, {});
  try {
    const { samples, invariants } = ((await sampling.run(problem, nothingKnown, budget, silent)) as SampledOutcome)
      .learned;
    const open = new Set(askedIn(samples!.system));
    const { system } = samples!;
    const found = await missingInvariants(
      samples!,
      invariants,
      open,
      problem.solvers.instances,
      budget,
      (point, terms) => refutedInRuns(problem, system, new Map([[point, terms]]), effort, budget, silent).get(point)!,
    );
    return found.map(({ at, candidates, checks }) => [at.fn.name, candidates, checks.map(({ check }) => check)]);
  } finally {
    await problem.solvers.close();
  }
}
const effort = { steps: 80_000, evaluations: Infinity, uncomputable: 'refuted' } as const;
type SampledOutcome = Extract<Awaited<ReturnType<typeof sampling.run>>, { kind: 'unknown' }>;

test('a smallest set of conditions that holds in all runs, as C', async () => {
  const text = `
static int table[10];
void fill(int n) {
  if (n > 10) n = 10;
  for (int i = 0; i < n; i++) table[i] = n;
}`;
  expect(await factsOf(text)).toEqual([['fill', ['i >= 0', 'n <= 10'], ['array-bounds']]]);
});

test('none where the check needs none', async () => {
  const text = `
static int table[10];
void fill(void) {
  for (unsigned char i = 0; i < 10; i++) table[i] = i;
}`;
  expect(await factsOf(text)).toEqual([]);
});

test('the last arrival at a long loop refutes what all samples satisfy', async () => {
  const asked = task(file('static int table[1000];\nvoid fill(void) { for (int i = 0; i < 1000; i++) table[i] = i; }'));
  const budget = Budget.start(asked.budget);
  const problem = Problem.examine(asked, budget, {});
  try {
    const { samples } = ((await sampling.run(problem, nothingKnown, budget, silent)) as SampledOutcome).learned;
    const { system, samples: seen } = samples!;
    const loop = system.points.find(({ kind }) => kind === 'loop')!;
    const at = seen.observablesOf(loop).findIndex(({ name }) => name === 'i');
    const atMost = (n: bigint) => L.sle(seen.observablesOf(loop)[at]!.term, L.bits(n, 32));
    expect(seen.of(loop).every(({ values }) => values[at]! < 1000n)).toBe(true);
    const candidates = new Map([[loop, [atMost(999n), atMost(1000n)]]]);
    const refuted = (evaluations: number) =>
      refutedInRuns(problem, system, candidates, { ...effort, evaluations }, budget, silent).get(loop);
    expect(refuted(Infinity)).toEqual(new Set([atMost(999n)]));
    expect(refuted(500)).toEqual(new Set());
  } finally {
    await problem.solvers.close();
  }
});

test('none for a loop that no run has come to', async () => {
  const text = `
static int table[10];
void fill(unsigned key, int n) {
  if (key * key != 1522756u || key < 2000) return;
  for (int i = 0; i < n; i++) table[i] = n;
}`;
  expect(await factsOf(text)).toEqual([]);
});
