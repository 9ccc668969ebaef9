/** Modules whose nodes own a block each, proved by facts about lists alone. In twins the failing check stays open. */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { openChecks } from './openChecks';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const open = (body: string, calls: Parameters<typeof openChecks>[1]): Promise<string[]> =>
  openChecks(`#include <stdlib.h>\n${body}`, calls, solver);

test('each node owns a block, which is freed with it', async () => {
  const texts = (block: string): string => `
struct item { struct item *next; char *text; };
static struct item *items;
void add(char first) {
  struct item *n = malloc(sizeof *n);
  n->text = ${block};
  n->text[0] = first;
  n->next = items;
  items = n;
}
int count_of(char first) {
  int count = 0;
  for (struct item *n = items; n != NULL; n = n->next) if (n->text[0] == first) count = 1;
  return count;
}
void drop(void) {
  struct item *n = items;
  if (n == NULL) return;
  items = n->next;
  free(n->text);
  free(n);
}`;
  const calls = [['add', 1], ['add', 2], ['count_of', 2], ['add', 3], ['drop'], ['drop'], ['count_of', 1]] as const;
  expect(await open(texts('malloc(4)'), calls)).toEqual([]);
  // Two nodes may own one block: no run with two nodes is known.
  const shared = await open(texts('items != NULL ? items->text : malloc(4)'), [['add', 1], ['drop'], ['add', 2]]);
  expect(shared).toContain('invalid-free n->text');
}, 900_000);

test('links of a list whose end is a pointer to a link lead to no variable', async () => {
  const queue = (emptied: string): string => `
struct packet { unsigned length; struct packet *next; };
static struct packet *head;
static struct packet **tail = &head;
void put(unsigned length) {
  struct packet *p = malloc(sizeof *p);
  p->length = length;
  p->next = NULL;
  *tail = p;
  tail = &p->next;
}
void drop_all(void) {
  struct packet *p = head;
  while (p != NULL) { struct packet *n = p->next; free(p); p = n; }
  head = NULL;
  ${emptied}
}`;
  const calls = [['put', 1], ['put', 2], ['drop_all'], ['drop_all'], ['put', 1], ['drop_all']] as const;
  expect(await open(queue('tail = &head;'), calls)).toEqual([]);
  expect(await open(queue(''), [['put', 1], ['drop_all']])).toContain('dereference *tail');
}, 900_000);
