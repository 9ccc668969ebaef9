/**
 * Leaks of modules, proved absent by facts about reachability alone. In the twins the check where a block is lost must
 * stay open although no failing run is known: the calls lose nothing.
 */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { inLongForm, isLong } from '../../long';
import { openChecks } from './openChecks';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const leak = 'leak every allocated block is reached or freed';
const open = async (body: string, calls: Parameters<typeof openChecks>[1]): Promise<string[]> =>
  openChecks(`#include <stdlib.h>\n${body}`, calls, solver, 'all', ['reach', 'memsafety', 'leak']);

const stack = (last: string): string => `
struct node { struct node *next; };
static struct node *top;
void push(void) {
  struct node *n = malloc(sizeof *n);
  n->next = top;
  top = n;
}
void pop(void) {
  struct node *n = top;
  if (n == NULL) return;
  top = n->next;
  ${last}
}`;
const calls = [['push'], ['pop'], ['pop'], ['push'], ['push']] as const;

inLongForm('a stack that is popped frees each node, or keeps it', async () => {
  expect(await open(stack('free(n);'), calls)).toEqual([]);
});

inLongForm('a stack that loses the third node is open where it does', async () => {
  const third = 'if (top != NULL && top->next != NULL) top->next = top->next->next; free(n);';
  expect(await open(stack(third), calls.slice(0, 4))).toContain(leak);
});

const jobs = (finish: string): string => `
struct job { int id; struct job *next; };
static struct job *ready, *spare;
static struct job *take(void) {
  struct job *j = spare;
  if (j != NULL) spare = j->next;
  else j = malloc(sizeof *j);
  return j;
}
void submit(int id) {
  struct job *j = take();
  j->id = id;
  j->next = ready;
  ready = j;
}
void finish(void) {
  struct job *j = ready;
  if (j == NULL) return;
  ready = j->next;
  ${finish}
}
void finish_two(void) { finish(); finish(); }
void shrink(void) {
  while (spare != NULL) { struct job *j = spare; spare = j->next; free(j); }
}`;

inLongForm(
  'two lists, of which one holds what is spare; a function of the module calls another',
  async () => {
    const run = [['submit', 1], ['submit', 2], ['finish_two'], ['submit', 3], ['shrink'], ['finish']] as const;
    expect(await open(jobs('j->next = spare; spare = j;'), run)).toEqual([]);
    expect(await open(jobs('j->next = NULL; spare = j;'), [['submit', 1], ['finish'], ['shrink']])).toContain(leak);
  },
  300_000,
);

const queue = (rest: string): string => `
struct item { struct item *next; };
static struct { struct item *head, *tail; } q;
void put(void) {
  struct item *i = malloc(sizeof *i);
  i->next = NULL;
  if (q.tail == NULL) q.head = i;
  else q.tail->next = i;
  q.tail = i;
}
void get(void) {
  struct item *i = q.head;
  if (i == NULL) return;
  q.head = i->next;
  ${rest}
  free(i);
}`;

inLongForm(
  'a queue whose ends are members of a variable',
  async () => {
    const run = [['put'], ['put'], ['get'], ['get'], ['put'], ['get']] as const;
    expect(await open(queue('if (q.head == NULL) q.tail = NULL;'), run)).toEqual([]);
    const early = 'if (q.head == NULL || q.head == q.tail) q.tail = NULL;';
    expect(await open(queue(early), [['put'], ['get'], ['put'], ['get']])).toContain(leak);
  },
  300_000,
);

const notes = ({ drop = 'free(n->text);', set = 'free(top->text);' }): string => `
struct note { char *text; struct note *next; };
static struct note *top;
void push(char c) {
  struct note *n = malloc(sizeof *n);
  n->text = malloc(2);
  n->text[0] = c;
  n->text[1] = 0;
  n->next = top;
  top = n;
}
void pop(void) {
  struct note *n = top;
  if (n == NULL) return;
  top = n->next;
  ${drop}
  free(n);
}
void set(char c) {
  if (top == NULL) return;
  char *text = malloc(2);
  text[0] = c;
  text[1] = 0;
  ${set}
  top->text = text;
}`;
const noteCalls = [['push', 1], ['push', 2], ['set', 3], ['pop'], ['push', 4], ['pop'], ['pop'], ['set', 5]] as const;

test('blocks that nodes own are freed with their nodes, or replaced', async () => {
  expect(await open(notes({}), noteCalls)).toEqual([]);
}, 300_000);

inLongForm(
  "a node's block that is lost is open where it is",
  async () => {
    expect(
      await open(notes({ drop: '' }), [
        ['push', 1],
        ['set', 2],
      ]),
    ).toContain(leak);
    expect(await open(notes({ set: '' }), [['push', 1], ['pop'], ['set', 2]])).toContain(leak);
    if (!isLong) return;
    // Only the second node's.
    expect(await open(notes({ drop: 'if (top == NULL) free(n->text);' }), [['push', 1], ['pop']])).toContain(leak);
  },
  300_000,
);
