/**
 * What is counted where the tests are measured: states that a reader can tell apart, whatever the proof has to know of
 * memory.
 */
import { verify } from '../../../src';
import { file, run, task } from '../task';
import { inLongForm } from '../../long';

const depth = `#include <stddef.h>
struct node { int value; struct node *next; };
int calls;
int depth(const struct node *n) {
  if (n == NULL) return 0;
  if (n->next == NULL) return 1;
  return n->value;
}
void tick(void) { calls = 1; }
int same(const int *a, const int *b) { return a != NULL && a == b ? *a : 0; }
`;

inLongForm('behind a null pointer there is nothing to reach; sizes, lifetimes and offsets are no states', async () => {
  const verdict = await verify(
    task(file(depth), { runs: [run(['tick'])], adequacy: true, budget: { milliseconds: 120_000 } }),
  );
  expect(verdict.kind).toBe('proved');
  const at = (name: string): string[] =>
    verdict.adequacy!.missing.filter((state) => state.at.function === name).map(({ valuation }) => valuation);
  const atEntry = new Set(at('depth'));
  expect([...atEntry]).toEqual(
    expect.arrayContaining(['n == NULL', 'n != NULL && n->next == NULL', 'n != NULL && n->next != NULL']),
  );
  expect([...atEntry].filter((text) => text.includes('n == NULL') && text.includes('n->next'))).toEqual([]);
  expect(
    [...atEntry, ...at('same')].filter((text) => /object_size|is_live|is_dynamic|offset_of|struct node\)/.test(text)),
  ).toEqual([]);
});
