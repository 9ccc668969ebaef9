/** The order of errors that nothing excuses. */
import { unusualness } from '../../../src/engines/angelic/unusualCalls';
import { type Calls, withTrace } from './failingTrace';

const rankOf = (text: string, calls: Calls): Promise<number> =>
  withTrace(text, calls, ({ scenario, fault }) => unusualness(scenario, fault));

test('plain calls come first, then null, then numbers at the end of their type', async () => {
  const text = `#include <stdlib.h>
struct pair { int a, b; };
int ratio(int a, int b) { return a / b; }
int sum(const struct pair *p) { return p->a + p->b; }
int next(int n) { return n + 1; }
void drop(struct pair *p) { free(p); }`;
  const ranks = [
    await rankOf(text, () => [['ratio', 4, 0]]),
    await rankOf(text, () => [['sum', 0]]),
    await rankOf(text, () => [['next', 2147483647]]),
    await rankOf(text, ({ object }) => [['sum', object('pair', { a: 2147483647, b: 1 })]]),
    await rankOf(text, ({ object }) => [['drop', object('pair', { a: 1, b: 1 })]]),
  ];
  expect(ranks).toEqual([0, 1, 2, 2, 2]);
});
