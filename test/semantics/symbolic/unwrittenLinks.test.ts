/**
 * Conditions on lists whose last node's link was not written since it was allocated: it may be null, so that it is a
 * list, and is null where the memory was zeroed. Each program links a node first, so links count once they are written.
 */
import { verify } from '../../../src';
import { file, task } from '../../engines/task';

const program = (allocation: string, condition: string): string => `
#include <provest.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int v; };
static struct node *p;
int main(void) {
  PROVEST_ENSURES(p == NULL || ${condition});
  struct node *last = malloc(sizeof *last);
  if (!last) return 0;
  last->next = malloc(sizeof *last);
  if (!last->next) return 0;
  last = last->next;
  last->next = NULL;
  p = last;
  p = NULL;
  unsigned k = (unsigned)__VERIFIER_nondet_int();
  if ((k ^ (k >> 7)) == 0x3ab12cd5u) p = ${allocation};
  return 0;
}`;

const ask = (text: string, milliseconds: number) =>
  verify(task(file(text), { mode: 'program', properties: ['reach', 'memsafety'], budget: { milliseconds } }));

test.each([
  ['zeroed, of a size that nothing fills', 'calloc(300, sizeof *p)', '!PROVEST_ACYCLIC(p)'],
  ['zeroed, of an unknown size', 'calloc(k % 8 + 1, sizeof *p)', '!PROVEST_ACYCLIC(p)'],
  ['zeroed, on the list', 'calloc(300, sizeof *p)', '!PROVEST_REACH(p, p)'],
  ['not zeroed', 'malloc(sizeof *p)', '!PROVEST_ACYCLIC(p)'],
])('%s: that it is no list is not proved', async (_, allocation, condition) => {
  expect((await ask(program(allocation, condition), 6_000)).kind).not.toBe('proved');
});

test('one zeroed node is a list', async () => {
  expect(await ask(program('calloc(1, sizeof *p)', 'PROVEST_ACYCLIC(p)'), 30_000)).toMatchObject({ kind: 'proved' });
});
