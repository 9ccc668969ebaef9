/** Lists that begin in nodes of other lists, and in automatic structures of several functions. */
import { createSolver, withBothEncodings, withInstantiation } from '../../../src/solver';
import { inLongForm } from '../../long';
import { openChecks } from './openChecks';

const solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
afterAll(() => solver.close());

const rows = (first: string): string => `
#include <stdlib.h>
struct cell { int value; struct cell *next; };
struct row { struct cell *cells; struct row *next; };
static struct row *rows;
void add_row(void) {
  struct row *r = malloc(sizeof *r);
  r->cells = ${first};
  r->next = rows;
  rows = r;
}
void add_cell(int value) {
  if (!rows) return;
  struct cell *c = malloc(sizeof *c);
  c->value = value;
  c->next = rows->cells;
  rows->cells = c;
}
void drop(void) {
  if (!rows || !rows->cells) return;
  struct cell *c = rows->cells;
  rows->cells = c->next;
  free(c);
}`;

const rowsAndCells = [['add_row'], ['add_cell', 1], ['add_cell', 2], ['add_cell', 3]] as const;

inLongForm(
  'rows with a list each; where two rows share one, its cells are freed behind the back of one',
  async () => {
    const calls = [...rowsAndCells, ...rowsAndCells, ...rowsAndCells, ['drop'], ['drop'], ['add_cell', 4]] as const;
    const open = (first: string): Promise<string[]> => openChecks(rows(first), calls, solver, 'shapes', ['memsafety']);
    expect(await open('NULL')).toEqual([]);
    expect(await open('rows ? rows->cells : NULL')).toContain('dereference c->next');
  },
  200_000,
);

const cursors = (condition: string): string => `
#include <stdlib.h>
struct node { int value; struct node *next; };
struct cursor { const struct node *at; };
static struct node *head;
static int taken(struct cursor *c) {
  int value = c->at->value;
  c->at = c->at->next;
  return value;
}
void add(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  head = n;
}
int has(int value) {
  struct cursor c = { head };
  while (${condition}) if (taken(&c) == value) return 1;
  return 0;
}
int first(void) {
  struct cursor c = { head };
  return c.at ? taken(&c) : 0;
}`;

test('cursors of several functions stay on the list; one that nobody tests for its end does not', async () => {
  const calls = [['has', 1], ['add', 3], ['first'], ['add', 1], ['has', 3], ['has', 1], ['has', 2]] as const;
  expect(await openChecks(cursors('c.at'), calls, solver, 'all', ['memsafety'])).toEqual([]);
  const open = await openChecks(cursors('c.at || value == 77'), calls, solver, 'all', ['memsafety']);
  expect(open).toContain('null-dereference c->at');
}, 100_000);
