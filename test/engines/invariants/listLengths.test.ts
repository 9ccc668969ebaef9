/** Modules that keep the number of nodes beside a list. In twins the failing check stays open. */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { openChecks } from './openChecks';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const stack = (pop: string): string => `
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static unsigned depth;
void push(int value) {
  if (depth >= 20) return;
  struct node *t = malloc(sizeof *t);
  t->value = value;
  t->next = head;
  head = t;
  depth++;
}
int pop(void) {
  if (depth == 0) return -1;
  struct node *t = head;
  int value = t->value;
  head = t->next;
  free(t);
  ${pop}
  return value;
}
void count(void) {
  unsigned n = 0;
  for (struct node *p = head; p != NULL; p = p->next) n++;
  assert(n == depth);
}`;
const [push, pop, count] = [['push', 1], ['pop'], ['count']] as const;

test('a stack that is as deep as its counter says', async () => {
  const calls = [push, push, count, pop, push, push, push, count, pop, pop, count, pop, pop, count];
  expect(await openChecks(stack('depth--;'), calls, solver, 'with lengths')).toEqual([]);
  // What nodes reach does not say how many they are.
  expect(await openChecks(stack('depth--;'), calls, solver)).toEqual(
    expect.arrayContaining(['null-dereference t', 'assertion n == depth']),
  );
}, 900_000);

test('a counter that is wrong in runs that were not seen is not the length', async () => {
  const wrong = stack('if (value != 77) depth--;');
  const calls = [push, push, count, pop, push, push, push, count, pop, pop, count, pop, pop, count];
  expect(await openChecks(wrong, calls, solver, 'with lengths')).toEqual(
    expect.arrayContaining(['null-dereference t', 'assertion n == depth']),
  );
}, 900_000);
