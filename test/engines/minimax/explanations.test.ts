/** Predicates that a search leaves to other engines when it gives up. */
import { locked } from './figures';
import { treeOf } from './treeOf';

jest.setTimeout(120_000);

test('what was locked at the head of a loop comes first', async () => {
  const { answer, statistics, explanations } = await treeOf(locked, { nodes: 14 });
  expect(answer).toBe('unknown');
  expect(statistics.restarts).toBe(1);
  expect(explanations.slice(0, 2)).toEqual(['next <= last + 1', 'last + 1 <= next']);
});

test('places that are no heads of loops leave nothing', async () => {
  const branches = Array.from({ length: 6 }, () => 'if (nondet()) s = s + 1; else s = s + 2;').join(' ');
  const text = `void foo(void) { int s = 0; ${branches} if (s > 12) error(); }`;
  const { answer, explanations } = await treeOf(text, { nodes: 20 });
  expect([answer, explanations]).toEqual(['unknown', []]);
});
