/** The number of rounds of a loop that show what all of them do, and what follows from that. */
import { noInvariants } from '../../src/abstraction/transitionSystem/invariantMap';
import { Budget } from '../../src/budget';
import { factorOf, StepQueries, shrinkLoops, type ShrunkLoop } from '../../src/engines/reduced/shrinking';
import { Solvers } from '../../src/engines/solvers';
import { askedIn } from '../../src/evidence/certificates/certify';
import { Shrinking } from '../../src/reductions/shrinking/shrinking';
import { inLongForm } from '../long';
import { programOf } from '../program/programOf';
import { programSystem } from '../abstraction/programSystem';

jest.setTimeout(120_000);

const budget = Budget.start({ milliseconds: 600_000 });
let solvers: Solvers;
beforeAll(() => {
  solvers = new Solvers(1, budget, {});
});
afterAll(() => solvers.close());

const fill = 'for (i = 0; i < N; i++) a[i] = nondet();';

async function shrunkIn(body: string): Promise<{ readonly loops: readonly ShrunkLoop[]; readonly isSafe: boolean }> {
  const text = `#include <assert.h>
    #define N 100000
    extern int nondet(void);
    int a[N], b[N];
    int main(void) { int i, k = nondet(), m, s = 0, x = nondet(); ${body} return 0; }`;
  const program = programOf(text, { externals: 'any' });
  const main = program.functionByName.get('main')!;
  const system = programSystem(program, main, ['reach']);
  const steps = new StepQueries(system, noInvariants, solvers.instances, budget);
  const loops = await shrinkLoops(new Shrinking(main, system, new Set(askedIn(system))), steps);
  return { loops, isSafe: loops.every(({ others }) => others.length === 0) && (await steps.establishes(loops)) };
}

/** Rounds that show the claims of each loop, the last loop first, or that some claim is not shown. */
async function factors(body: string): Promise<string> {
  const { loops, isSafe } = await shrunkIn(body);
  const ofLoops = loops.map(({ shrunk, others }) =>
    others.length > 0 ? 'not shrinkable' : [...new Set(shrunk.map(factorOf))].sort().join(' and '),
  );
  return `${ofLoops.join(', ')}: ${isSafe ? 'the residual program is safe' : 'open'}`;
}

const token = 'for (i = 0; i < N; i++) { if (s == 0 && a[i] == 3) s = 1; else if (s == 1) s = a[i] == 7 ? 2 : 0; }';

test('KT-05: one round of a search shows that nothing was missed', async () => {
  const search = (start: number): string =>
    `${fill} for (i = ${start}; i < N; i++) if (a[i] == x) s = 1; if (!s) for (i = 0; i < N; i++) assert(a[i] != x);`;
  expect(await factors(search(0))).toBe('1, 1: the residual program is safe');
  // The first element is not looked at.
  expect(await factors(search(1))).toBe('1, 1: open');
});

test('KT-05: two rounds of an automaton show that its word is not there', async () => {
  const filled = (kept: string): string =>
    `for (i = 0; i < N; i++) { a[i] = nondet(); if (${kept}) a[i] = 0; } ${token} assert(s != 2);`;
  expect(await factors(filled('a[i] == 7'))).toBe('2, 1: the residual program is safe');
  // The word is possible: what two rounds show is that the loop shrinks, not that it is safe.
  const { loops, isSafe } = await shrunkIn(filled('a[i] == 8'));
  expect(loops[0]!.shrunk.map(factorOf)).toEqual([2]);
  expect(isSafe).toBe(false);
});

inLongForm('KT-14: no number of rounds shows a count of all', async () => {
  const count = 'for (i = 0; i < N; i++) if (a[i]) s = s + 1;';
  expect(await factors(`${fill} ${count} assert(s != 10);`)).toBe('not shrinkable: open');
});

test('KT-05, KT-14: a counter that is below its bound in the first rounds only does not shrink', async () => {
  // With the initial states alone, one round would do.
  expect(await factors('for (i = 0; i < N; i++) s = s + 1; assert(s <= 5);')).toMatch(/: open$/u);
});

inLongForm('the minimum with a comparison that is off by one needs two rounds, whatever the elements', async () => {
  const least = 'm = a[0]; for (i = 0; i < N; i++) if (m >= a[i] - 1) m = a[i];';
  const { loops } = await shrunkIn(`${fill} ${least} for (i = 0; i < N; i++) assert(m <= a[i]);`);
  expect(loops[1]!.shrunk.map(factorOf)).toEqual([2]);
});

inLongForm('no value rises in an array that descends', async () => {
  const descending = 'for (i = 0; i < N; i++) { a[i] = x; if (nondet() && x > 0) x = x - 1; }';
  const rise = 'm = a[0]; for (i = 1; i < N; i++) { if (a[i] > m) s = 1; if (a[i] < m) m = a[i]; } assert(!s);';
  expect(await factors(`${descending} ${rise}`)).toBe('2, 1: the residual program is safe');
  const ascending = descending.replace('x > 0', 'x < 9').replace('x - 1', 'x + 1');
  expect(await factors(`${ascending} ${rise}`)).toMatch(/: open$/u);
});

test.each([
  ['init', 'for (i = 0; i < N; i++) a[i] = x; for (i = 0; i < N; i++) assert(a[i] == x);'],
  ['copy', `${fill} for (i = 0; i < N; i++) b[i] = a[i]; for (i = 0; i < N; i++) assert(b[i] == a[i]);`],
  ['downwards', 'for (i = N - 1; i >= 0; i--) a[i] = x; for (i = 0; i < N; i++) assert(a[i] == x);'],
])('KT-05: one round shows %s', async (_, body) => {
  expect(await factors(body)).toMatch(/^1, 1(, 1)?: the residual program is safe$/u);
});
