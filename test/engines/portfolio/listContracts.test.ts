/** Conditions on lists in the C (`PROVEST_ACYCLIC` and the like): proved, refuted by runs, and refused. */
import { verify } from '../../../src/index';
import { loadProgram } from '../../../src/program';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const types = `
#include <stdlib.h>
#include <provest.h>
struct node { int value; struct node *next; };
struct tree { struct tree *left, *right; int up; };
static struct node *head;
static unsigned count;
`;
const ask = (text: string, milliseconds = 60_000): Promise<Verdict> =>
  verify(
    task(file(types + text), {
      properties: ['reach', 'memsafety', 'overflow', 'div-by-zero'],
      budget: { milliseconds },
    }),
  );
const failing = (verdict: Verdict): string | undefined =>
  verdict.kind === 'bug' ? verdict.counterexample.failure.message : verdict.kind;

const stack = ({ drop = 'count--;', add = 'n->next = head;' }): string => `
int push(int value) {
  PROVEST_ENSURES(PROVEST_ACYCLIC(head));
  PROVEST_ENSURES(count == PROVEST_LIST_LENGTH(head));
  if (count == 1000) return 0;
  struct node *n = malloc(sizeof *n);
  n->value = value;
  ${add}
  head = n;
  count++;
  return 1;
}
int pop(void) {
  PROVEST_ENSURES(count == PROVEST_LIST_LENGTH(head));
  struct node *n = head;
  if (n == NULL) return 0;
  int value = n->value;
  head = n->next;
  free(n);
  ${drop}
  return value;
}`;

test('a counter that is the length of a list is proved to be', async () => {
  expect((await ask(stack({}))).kind).toBe('proved');
}, 120_000);

test('a counter that is off by one, and a ring, are bugs', async () => {
  expect(failing(await ask(stack({ drop: 'if (count > 1) count--;' })))).toBe(
    'postcondition violated: count == PROVEST_LIST_LENGTH(head) (count = 1, length = 0)',
  );
  expect(failing(await ask(stack({ add: 'n->next = value == 7 ? n : head;' })))).toBe(
    'postcondition violated: PROVEST_ACYCLIC(head)',
  );
}, 120_000);

const find = (invariant: string): string => `
void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  head = n;
}
int find(int value) {
  for (const struct node *p = head; p != NULL; p = p->next) {
    PROVEST_INVARIANT(${invariant});
    if (p->value == value) return 1;
  }
  return 0;
}`;

inLongForm(
  'what a walk has come to is on the list',
  async () => {
    expect((await ask(find('PROVEST_REACH(head, p)'))).kind).toBe('proved');
    expect(failing(await ask(find('PROVEST_REACH(p, head)')))).toBe('assertion failed: PROVEST_REACH(p, head)');
  },
  120_000,
);

const second = (length: number): string => `
int second(const struct node *l) {
  PROVEST_REQUIRES(PROVEST_LIST_LENGTH(l) >= ${length});
  return l->next->value;
}`;
const total = (precondition: string): string => `
int total(const struct node *l) {
  ${precondition}
  unsigned sum = 0;
  for (; l != NULL; l = l->next) sum += l->value;
  return sum % 100;
}`;

test("preconditions are about clients' lists", async () => {
  const kept = await ask(total('PROVEST_REQUIRES(PROVEST_ACYCLIC(l));'));
  expect(kept.kind).toBe('proved');
  expect(kept.assumptions).toContain("nodes of clients' lists are objects of their own, not elements of an array");
  expect((await ask(second(2))).kind).toBe('proved');
  expect(failing(await ask(second(1)))).toContain('null pointer dereference');
  expect(failing(await ask(`${second(2)} int f(void) { struct node n = { 1, NULL }; return second(&n); }`))).toContain(
    'precondition violated',
  );
}, 120_000);

const positive = (refused: string): string => `
int push(int value) {
  PROVEST_ENSURES(PROVEST_EVERY(head, n, n->value > 0 && n->value <= 100));
  if (${refused} || value > 100) return 0;
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  head = n;
  return 1;
}
int pop(void) {
  PROVEST_ENSURES(PROVEST_RESULT >= 0);
  struct node *n = head;
  if (n == NULL) return 0;
  int value = n->value;
  head = n->next;
  free(n);
  return value;
}`;

test('what holds of every node is proved, and a bug where one breaks it', async () => {
  expect((await ask(positive('value <= 0'))).kind).toBe('proved');
  expect(failing(await ask(positive('value < 0')))).toContain(
    'postcondition violated: PROVEST_EVERY(head, n, n->value > 0 && n->value <= 100)',
  );
}, 120_000);

const quotient = (condition: string): string => `
int quotient(const struct node *l, int least) {
  PROVEST_REQUIRES(least >= 0 && PROVEST_EVERY(l, n, ${condition}));
  if (l != NULL && l->next != NULL) return 100 / l->next->value;
  return 0;
}`;

test('the name of a node hides others', async () => {
  const text = (value: number): string => `
int f(void) {
  struct node l = { ${value}, NULL }, *head = &l;
  PROVEST_INVARIANT(PROVEST_EVERY(head, head, head->value == 1) && PROVEST_EVERY(head, l, l->value == 1));
  return 0;
}`;
  expect((await ask(text(1), 4000)).kind).not.toBe('bug');
  expect(failing(await ask(text(2)))).toContain('assertion failed');
}, 60_000);

test("a precondition is about every node of a client's list", async () => {
  expect((await ask(quotient('n->value > least'))).kind).toBe('proved');
  expect((await ask(quotient('n->value >= least'), 6000)).kind).not.toBe('proved');
  expect((await ask(quotient('n->value > least || n->next == NULL'), 6000)).kind).not.toBe('proved');
}, 120_000);

inLongForm(
  'without its precondition a walk is not proved, nor by a precondition that some lists break',
  async () => {
    expect((await ask(total(''), 8000)).kind).not.toBe('proved');
    expect((await ask(total('PROVEST_REQUIRES(!PROVEST_ACYCLIC(l));'), 8000)).kind).not.toBe('proved');
  },
  240_000,
);

test('a list through a variable is one in runs, and nothing is proved of it', async () => {
  const body = (condition: string): string => `
static struct node last;
void f(void) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  n->next = &last;
  head = n;
  head->next->value = 2;
}
void g(void) { PROVEST_INVARIANT(head == NULL || ${condition}); }`;
  expect(failing(await ask(body('PROVEST_LIST_LENGTH(head) == 1')))).toBe(
    'assertion failed: head == NULL || PROVEST_LIST_LENGTH(head) == 1',
  );
  expect((await ask(body('PROVEST_LIST_LENGTH(head) != 1'), 4000)).kind).not.toBe('bug');
  expect(failing(await ask(body('!PROVEST_ACYCLIC(head)')))).toContain('assertion failed');
}, 180_000);

test.each([
  ['PROVEST_ACYCLIC(count)', "is about a pointer to the nodes of a list; this is 'unsigned int'"],
  ['PROVEST_ACYCLIC(*head)', "is about a pointer to the nodes of a list; this is 'struct node'"],
  ['PROVEST_LIST_LENGTH(&count) == 1', "is about a pointer to the nodes of a list; this is 'unsigned int *'"],
  ['PROVEST_ACYCLIC(tree)', "'struct tree' has the links left, right: name one as the last argument, as in PROVEST_"],
  ['PROVEST_ACYCLIC(tree, up)', "'up' is no link of 'struct tree': it has left, right"],
  ['PROVEST_LIST_LENGTH(head, 1) == 1', 'the last argument of PROVEST_LIST_LENGTH is the name of a member'],
  ['PROVEST_ACYCLIC()', 'PROVEST_ACYCLIC takes a pointer to nodes, and may be given the name of the link'],
  ['PROVEST_REACH(head)', 'PROVEST_REACH takes two pointers to nodes, and may be given the name of the link'],
  ['PROVEST_REACH(head, tree)', "looks for a node of a list of 'struct node'; this leads to 'struct tree'"],
  ['PROVEST_EVERY(head, n)', 'PROVEST_EVERY takes a pointer to nodes, a name for each of them, a condition'],
  ['PROVEST_EVERY(head, 1, 1)', 'PROVEST_EVERY takes a pointer to nodes, a name for each of them, a condition'],
  ['PROVEST_EVERY(count, n, 1)', "is about a pointer to the nodes of a list; this is 'unsigned int'"],
  ['PROVEST_EVERY(head, n, n->size > 0)', "no member named 'size' in 'struct node'"],
  ['PROVEST_EVERY(tree, n, n->up > 0)', "'struct tree' has the links left, right: name one as the last argument"],
  ['PROVEST_EVERY(head, n, n->value++)', 'a contract changes nothing'],
  ['PROVEST_EVERY(head, n, n->next->value > 0)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, n->value + 1 > 0)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, (long)n * 9 > 0)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, 100 / ((long)n & 1) > 0)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, 1 << (long)n > 0)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, n < head)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, n + 5 != head)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, n[1].value > 0)', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, PROVEST_ACYCLIC(n))', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_EVERY(head, n, f(NULL))', 'a condition on all nodes of a list computes with members'],
  ['PROVEST_ACYCLIC(head = NULL)', 'a contract changes nothing'],
])('%s is refused', (condition, message) => {
  const text = `${types} int f(struct tree *tree) { PROVEST_REQUIRES(${condition}); return tree != NULL; }`;
  expect(() => loadProgram([file(text)])).toThrow(message);
});

test('addresses within a node are accepted', () => {
  const text = `
struct parts { int some[3]; struct { char text[4]; } last[2]; };
struct wide { struct parts parts; unsigned bits : 3; struct wide *next; };
int f(struct wide *l) {
  PROVEST_REQUIRES(PROVEST_EVERY(l, n, n->parts.some[2] > 0 && n->parts.last[1].text[3] == 0 && n->bits < 5));
  PROVEST_REQUIRES(PROVEST_EVERY(l, n, n != n->next && n + 1 != l && (*n).bits > 1 && *n->parts.some == 1));
  return l != NULL;
}`;
  expect(() => loadProgram([file(types + text)])).not.toThrow();
});
