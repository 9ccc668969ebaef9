/** Modules whose nodes hold blocks of a size that is kept beside them. In twins the failing check stays open. */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { openChecks } from './openChecks';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const packets = (pages: string): string => `
#include <stdlib.h>
struct packet { unsigned bytes; unsigned char *data; struct packet *next; };
static struct packet *head;
void put(unsigned bytes) {
  if (bytes == 0 || bytes > 1000) return;
  struct packet *p = malloc(sizeof *p);
  p->data = malloc(bytes);
  p->data[bytes - 1] = 2;
  p->bytes = ${pages};
  p->next = head;
  head = p;
}
unsigned sum(void) {
  unsigned sum = 0;
  for (struct packet *p = head; p != NULL; p = p->next) sum += p->data[p->bytes - 1];
  return sum;
}`;
const calls = [['put', 3], ['put', 5], ['sum'], ['put', 1], ['put', 5], ['sum'], ['put', 8], ['sum']] as const;

test('the size of a block is a number in the node that owns it', async () => {
  expect(await openChecks(packets('bytes'), calls, solver, 'with sizes')).toEqual([]);
  // Reachability does not tell sizes.
  expect(await openChecks(packets('bytes'), calls, solver)).toEqual(['dereference p->data[p->bytes - 1]']);
}, 900_000);

test('a number that is wrong in runs that were not seen is not the size', async () => {
  expect(await openChecks(packets('bytes == 77 ? 78 : bytes'), calls, solver, 'with sizes')).toEqual([
    'dereference p->data[p->bytes - 1]',
  ]);
}, 900_000);

const segments = (isFull: string): string => `
#include <stdlib.h>
struct segment { int used; int room; int *items; struct segment *next; };
static struct segment *first;
void add(int value) {
  struct segment *s = first;
  if (s == NULL || ${isFull}) {
    int room = s != NULL && s->room < 8 ? 8 : 4;
    s = malloc(sizeof *s);
    s->items = malloc(room * sizeof *s->items);
    s->used = 0;
    s->room = room;
    s->next = first;
    first = s;
  }
  s->items[s->used++] = value;
}`;
const adds = Array.from({ length: 18 }, (_, i) => ['add', i] as const);

test('what is used of a block is never more than there is of it', async () => {
  expect(await openChecks(segments('s->used == s->room'), adds, solver, 'with sizes')).toEqual([]);
  // A value that was not seen is one too many.
  expect(await openChecks(segments('(s->used == s->room && value != 77)'), adds, solver, 'with sizes')).toContain(
    'dereference s->items[s->used++]',
  );
}, 900_000);
