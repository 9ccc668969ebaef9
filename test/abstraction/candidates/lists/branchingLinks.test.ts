/** Structures that one walk goes along by several links. */
import { hasBranchingLinks, hasListsInNodes } from '../../../../src/abstraction/candidates/lists/branchingLinks';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { programOf } from '../../../program/programOf';

const systemOf = (text: string): TransitionSystem => {
  const program = programOf(text);
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety']),
  });
};

const isBranching = (body: string): boolean =>
  hasBranchingLinks(
    systemOf(`#include <stdlib.h>
    struct node { int key; struct node *left, *right; };
    static struct node *root;
    void add(int key) {
      struct node *t = malloc(sizeof *t);
      t->key = key;
      t->left = key > 0 ? root : NULL;
      t->right = key > 0 ? NULL : root;
      root = t;
    }
    ${body}`),
  );

test('a search goes left or right', () => {
  expect(
    isBranching('int has(int k) { struct node *p = root; while (p) p = k < p->key ? p->left : p->right; return 0; }'),
  ).toBe(true);
  expect(
    isBranching(
      'int has(int k) { struct node *p = root; while (p) if (k < p->key) p = p->left; else p = p->right; return 0; }',
    ),
  ).toBe(true);
});

test('a function calls itself for both', () => {
  expect(
    isBranching(
      `static int size(struct node *p) { return p ? 1 + size(p->left) + size(p->right) : 0; }
      int all(void) { return size(root); }`,
    ),
  ).toBe(true);
});

test('walks along one link each do not branch', () => {
  expect(
    isBranching(`int least(void) { struct node *p = root; while (p && p->left) p = p->left; return 0; }
      int most(void) { struct node *p = root; while (p && p->right) p = p->right; return 0; }`),
  ).toBe(false);
  // A loop that takes nodes out looks at both neighbours, and goes along one link.
  expect(
    isBranching(`void drop(void) {
      struct node *p = root;
      while (p) {
        struct node *before = p->left, *after = p->right;
        if (before) before->right = after;
        if (after) after->left = before;
        p = after;
      }
    }`),
  ).toBe(false);
});

test('nodes hold lists of their own, or blocks that lead nowhere', () => {
  const holds = (leads: string): boolean =>
    hasListsInNodes(
      systemOf(`#include <stdlib.h>
      struct cell { int value; struct cell *next; };
      struct row { struct cell *cells; struct row *next; };
      static struct row *rows;
      void add(int value) {
        struct cell *c = malloc(sizeof *c);
        c->value = value;
        c->next = NULL;
        struct row *r = malloc(sizeof *r);
        r->cells = c;
        r->next = rows;
        rows = r;
      }
      void more(int value) { if (rows) { ${leads} } }`),
    );
  expect(holds('struct cell *c = malloc(sizeof *c); c->value = value; c->next = rows->cells; rows->cells = c;')).toBe(
    true,
  );
  expect(holds('rows->cells->value = value;')).toBe(false);
});
