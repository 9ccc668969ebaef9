/**
 * Random programs against all states that they reach: no option makes the search close a tree of a program that fails,
 * and the checker accepts what was closed.
 */
import fc from 'fast-check';
import { isLong } from '../../long';
import { programWith, statesOf } from './randomPrograms';
import { treeOf } from './treeOf';

jest.setTimeout(3_000_000);

const options = fc.record({
  interpolants: fc.constantFrom('precondition' as const, 'precondition' as const, 'halves' as const, 'subset' as const),
  order: fc.constantFrom('feasible-first' as const, 'infeasible-first' as const, 'text' as const),
  decidedRounds: fc.constantFrom(0, 6).map((rounds) => () => rounds),
  follow: fc.constantFrom(0, 0, 2).map((rounds) => () => rounds),
  equations: fc.constantFrom('slackened' as const, 'slackened' as const, 'whole' as const),
});

test.each([
  ['without calls', { calls: false }],
  ['with calls unfolded', { calls: true }],
])('answers agree with the reachable states: %s', async (_, kind) => {
  let decided = 0;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(programWith(kind), options, async ({ text, run }, chosen) => {
      let fails = false;
      run(statesOf([[0, 1, 0]]), () => (fails = true));
      const { answer } = await treeOf(text, { nodes: 400, ...chosen, ...(kind.calls && { calls: 'stacks' }) });
      count++;
      if (answer === 'certified' || answer === 'fails') decided++;
      expect({ text, answer }).not.toEqual({ text, answer: fails ? 'certified' : 'fails' });
      expect({ text, answer }).not.toEqual({ text, answer: 'refused' });
    }),
    { numRuns: isLong ? 2000 : 12 },
  );
  expect(decided).toBeGreaterThan(count / 2);
});
