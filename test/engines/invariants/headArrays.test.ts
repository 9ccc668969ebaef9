/**
 * Lists whose heads are elements of an array, proved by facts about single links. In the twins the check that fails
 * must stay open although no failing run is known.
 */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { openChecks } from './openChecks';
import { inLongForm, isLong } from '../../long';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const open = async (body: string, calls: Parameters<typeof openChecks>[1]): Promise<string[]> =>
  openChecks(`#include <stdlib.h>\n${body}`, calls, solver, 'all', ['reach', 'memsafety']);

const table = ({ index = 'unsigned h = key % SIZE;', insert = 'h', unlink = 'prev->next = n->next', size = 8 }) => `
#define SIZE ${size}
struct node { unsigned key; struct node *next; };
static struct node *heads[SIZE];
void insert(unsigned key) {
  ${index}
  struct node *n = malloc(sizeof *n);
  n->key = key;
  n->next = heads[h];
  heads[${insert}] = n;
}
int erase(unsigned key) {
  ${index}
  struct node *prev = NULL, *n = heads[h];
  while (n != NULL) {
    if (n->key == key) {
      if (prev != NULL) ${unlink};
      else heads[h] = n->next;
      free(n);
      return 1;
    }
    prev = n;
    n = n->next;
  }
  return 0;
}`;
const calls = [
  ...[
    ['insert', 1],
    ['insert', 2],
    ['insert', 1],
    ['insert', 65],
    ['insert', 9],
  ],
  ...[
    ['erase', 1],
    ['erase', 9],
    ['erase', 2],
    ['insert', 65],
    ['erase', 65],
    ['erase', 3],
  ],
] as const;

test.each([8, 64])(
  'nodes of a hash table with %i heads are inserted and taken out',
  async (size) => {
    expect(await open(table({ size }), calls as never)).toEqual([]);
  },
  300_000,
);

inLongForm(
  'a node that stays linked, or is on two lists, is found again when it is freed',
  async () => {
    const access = 'dereference n->key';
    expect(
      await open(table({ unlink: 'n->key = 0', size: 64 }), [
        ['insert', 1],
        ['insert', 2],
        ['erase', 1],
      ]),
    ).toContain(access);
    if (!isLong) return;
    expect(
      await open(table({ insert: '(h + 1) % SIZE' }), [
        ['insert', 1],
        ['erase', 2],
      ]),
    ).toContain(access);
  },
  300_000,
);
