/**
 * Trees, which are proved by what all nodes have in common, and lists whose ends are members of an automatic structure.
 * Twins are not proved.
 */
import { verify } from '../../../src';
import type { Property } from '../../../src/program/command';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const patient = { budget: { milliseconds: 150_000 }, properties: ['reach', 'memsafety'] as readonly Property[] };
const brief = { ...patient, budget: { milliseconds: 15_000 } };

const tree = (link: string): string => `
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *root;
int insert(int key) {
  struct node *parent = NULL, *p = root;
  while (p != NULL) {
    if (p->key == key) return 0;
    parent = p;
    p = key < p->key ? p->left : p->right;
  }
  struct node *t = malloc(sizeof *t);
  t->key = key;
  t->left = NULL;
  ${link}
  if (parent == NULL) root = t;
  else if (key < parent->key) parent->left = t;
  else parent->right = t;
  return 1;
}
int has(int key) {
  struct node *p = root;
  while (p != NULL && p->key != key) p = key < p->key ? p->left : p->right;
  return p != NULL;
}`;

test('a tree that is searched and inserted into', async () => {
  expect((await verify(task(file(tree('t->right = NULL;')), patient))).kind).toBe('proved');
}, 200_000);

test('a node whose link may be unset, or that is freed while the tree leads to it, is not', async () => {
  expect((await verify(task(file(tree('if (key != 77) t->right = NULL;')), brief))).kind).not.toBe('proved');
  expect((await verify(task(file(tree('t->right = NULL; if (key == 77) free(t);')), brief))).kind).not.toBe('proved');
}, 200_000);

const deque = (popped: string): string => `
#include <stdlib.h>
extern int nondet(void);
extern void reach_error(void);
struct node { int value; struct node *prev, *next; };
struct deque { struct node *first, *last; };
static void push(struct deque *d, int value) {
  struct node *t = malloc(sizeof *t);
  t->value = value;
  t->next = NULL;
  t->prev = d->last;
  if (d->last) d->last->next = t; else d->first = t;
  d->last = t;
}
static void pop_last(struct deque *d) {
  struct node *t = d->last;
  d->last = t->prev;
  if (d->last) d->last->next = NULL; else d->first = NULL;
  free(t);
}
static void pop_first(struct deque *d) {
  struct node *t = d->first;
  d->first = t->next;
  ${popped}
  free(t);
}
int main(void) {
  struct deque d = { NULL, NULL };
  while (nondet()) {
    if (nondet()) push(&d, nondet());
    else if (d.first != NULL) { if (nondet()) pop_last(&d); else pop_first(&d); }
  }
  while (d.last != NULL) pop_last(&d);
  if (d.first != NULL) reach_error();
  return 0;
}`;

inLongForm(
  'a deque in a variable of main, whose address helpers get',
  async () => {
    const of = (popped: string, options: typeof patient): Promise<string> =>
      verify(
        task(file(deque(popped)), {
          ...options,
          mode: 'program',
          entries: ['main'],
          load: { externals: 'any' },
          properties: ['reach', 'memsafety', 'leak'],
        }),
      ).then(({ kind }) => kind);
    expect(await of('if (d->first) d->first->prev = NULL; else d->last = NULL;', patient)).toBe('proved');
    expect(await of('if (d->first) d->first->prev = NULL;', brief)).not.toBe('proved');
    expect(await of('if (!d->first) d->last = NULL;', brief)).not.toBe('proved');
  },
  300_000,
);
