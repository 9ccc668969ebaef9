/** Why nothing is known of what is reached along a link. */
import { remarksOnLinks, unfollowedLinks } from '../../../src/engines/explanation/unfollowedLinks';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { programOf } from '../../program/programOf';

function reasons(
  text: string,
  mode: 'program' | 'module' = 'program',
  print: (system: TransitionSystem) => readonly string[] = unfollowedLinks,
  more: Parameters<typeof programOf>[1] = {},
): readonly string[] {
  const program = programOf(
    `#include <stdlib.h>
    struct node { int val; struct node *next; };
    int nondet(void);
    ${text}`,
    { externals: 'any', ...more },
  );
  const entries =
    mode === 'program'
      ? [program.functionByName.get('main')!]
      : program.functions.filter((fn) => fn.linkage === 'external' && !fn.library);
  return print(
    new TransitionSystem(program, { ...plainOptions, mode, entries, checkedProperties: new Set(['memsafety']) }),
  );
}

const build = 'struct node *h = NULL, *t; while (nondet()) { t = malloc(sizeof *t); t->next = h; h = t; }';

/** Trees of the module's own, which a client grows. */
const trees = `struct tree { int key; struct tree *left, *right; };
    static struct tree *root;
    void add(int key) {
      struct tree *t = malloc(sizeof *t);
      t->key = key;
      t->left = key > 0 ? root : NULL;
      t->right = key > 0 ? NULL : root;
      root = t;
    }
`;

const freed = (name: string): string =>
  `drop, which calls itself, frees struct ${name}: it is not known which nodes a call leaves alone, so none that its ` +
  'caller holds is known to live behind it';

test('a list of allocated nodes is followed', () => {
  expect(reasons(`int main(void) { ${build} while (h) { t = h->next; free(h); h = t; } return 0; }`)).toEqual([]);
});

test('nodes that begin elsewhere than the end marker in a list are not, and the reason names both', () => {
  const text = `struct item { unsigned key; struct item *next; };
    static struct { unsigned long count; struct item *at; struct item end; } ring;
    void init(void) { ring.end.next = &ring.end; ring.end.key = 99; ring.at = &ring.end; ring.count = 0; }
    void add(unsigned key) {
      struct item *i = malloc(sizeof *i), *before = &ring.end;
      while (before->next->key < key) before = before->next;
      i->key = key;
      i->next = before->next;
      before->next = i;
      ring.count++;
    }`;
  expect(reasons(text, 'module')).toEqual([
    'links of struct item are not followed: one pointer may lead into ring, into allocated blocks, at different ' +
      'places of these objects, so that a pointer of one lies where another has something else',
  ]);
});

test('functions that the proof never enters have no say', () => {
  const text = `void never(struct node *l) { while (l) l = l->next; }
    int main(void) { ${build} while (h) { t = h->next; free(h); h = t; } return 0; }`;
  expect(reasons(text)).toEqual([]);
});

test('a list of clients is', () => {
  const text = 'int sum(struct node *l) { int s = 0; while (l) { s ^= l->val; l = l->next; } return s; }';
  expect(reasons(text, 'module')).toEqual([]);
});

test('a list of clients that the module keeps is not', () => {
  const why =
    'lists of struct node that the module keeps between calls are not followed: clients have such structures, ' +
    'too, and may change them';
  const walk = 'int s = 0; while (l) { s ^= l->val; l = l->next; } return s; }';
  const variable =
    'static struct node *kept; void keep(struct node *l) { kept = l; } ' +
    `int sum(void) { struct node *l = kept; ${walk}`;
  expect(reasons(variable, 'module')).toEqual([why]);
  const member = `static struct { int n; struct node *first; } all; void keep(struct node *l) { all.first = l;
    all.n++; }
    int sum(void) { struct node *l = all.first; ${walk}`;
  expect(reasons(member, 'module')).toEqual([why]);
});

test('elements of an array are not', () => {
  const text = `static struct node pool[4]; static struct node *head;
    int main(void) {
      for (int i = 0; i < 4; i++) { pool[i].next = head; head = &pool[i]; }
      int s = 0;
      for (struct node *p = head; p; p = p->next) s ^= p->val;
      return s;
    }`;
  expect(reasons(text)).toEqual([
    'links of struct node are not followed: they are elements of arrays, which are no objects of their own',
  ]);
});

test('nor is what a tree reaches', () => {
  const text = `struct tree { int key; struct tree *left, *right; };
    static struct tree *root;
    int main(void) {
      while (nondet()) { struct tree *t = malloc(sizeof *t); t->left = NULL; t->right = NULL;
        if (nondet()) t->left = root; else t->right = root; root = t; }
      struct tree *p = root;
      int k = nondet();
      while (p && p->key != k) if (k < p->key) p = p->left; else p = p->right;
      return p != NULL;
    }`;
  expect(reasons(text)).toEqual([
    'a loop goes along left and right of struct tree: one link at a time is followed, as in lists',
  ]);
});

test.each([
  ['chosen by ?:', 'struct tree *p = root; while (p && p->key != k) p = k < p->key ? p->left : p->right;'],
  [
    'gone along by a pointer to links',
    'struct tree **p = &root; while (*p && (*p)->key != k) p = k < (*p)->key ? &(*p)->left : &(*p)->right;',
  ],
  [
    'gone along by a pointer to links in branches',
    `struct tree **p = &root;
     while (*p && (*p)->key != k) if (k < (*p)->key) p = &(*p)->left; else p = &(*p)->right;`,
  ],
])('nor what a tree reaches, %s', (_, walk) => {
  const text = `${trees}    int find(int k) { ${walk} return p != NULL; }`;
  expect(reasons(text, 'module')).toEqual([
    'a loop goes along left and right of struct tree: one link at a time is followed, as in lists',
  ]);
});

test('a list that a pointer to links goes along is followed', () => {
  const text = `static struct node *l;
    void add(void) { struct node *t = malloc(sizeof *t); t->next = l; l = t; }
    void cut(int k) { struct node **p = &l; while (*p && (*p)->val != k) p = &(*p)->next; }`;
  expect(reasons(text, 'module')).toEqual([]);
});

test('nor what a tree reaches whose links are written through one pointer, and the reason is not other bytes', () => {
  const text = `${trees}    int find(int k) {
      struct tree *p = root;
      while (p && p->key != k) p = k < p->key ? p->left : p->right;
      return p != NULL;
    }
    void cut(int k) {
      struct tree **p = &root;
      while (*p && (*p)->key != k) p = k < (*p)->key ? &(*p)->left : &(*p)->right;
      *p = NULL;
    }`;
  expect(reasons(text, 'module', unfollowedLinks, { separatesAllBut: new Set() })).toContain(
    'links of struct tree are not followed: in allocated blocks a pointer may lie where there is something else, as ' +
      'where one pointer leads to several members of a structure',
  );
});

test('nor what a function of trees reaches that calls itself', () => {
  const text = `${trees}    static void drop(struct tree *t) {
      if (t == NULL) return;
      drop(t->left);
      drop(t->right);
      free(t);
    }
    void clear(void) { drop(root); root = NULL; }`;
  const why = 'goes along left and right of struct tree: one link at a time is followed, as in lists';
  expect(reasons(text, 'module')).toEqual([`drop, which calls itself, ${why}`]);
});

test('a call that frees leaves alone what is not reached along the one link that it follows', () => {
  const list = (drop: string): string => `static struct node *list;
    void add(void) {
      struct node *n = malloc(sizeof *n);
      n->next = list;
      list = n;
    }
    static void drop(struct node *l) { ${drop} }
    void clear(void) { drop(list); list = NULL; }`;
  expect(reasons(list('if (l) { drop(l->next); free(l); }'), 'module')).toEqual([]);
  const taken = 'if (l) { one = l; drop(one->next); free(l); }';
  expect(reasons(`struct node; static struct node *one; ${list(taken)}`, 'module')).toEqual([freed('node')]);
  expect(reasons(list('if (l) { struct node *n = l->next; free(l); drop(n); }'), 'module')).toEqual([]);
});

test('lists whose heads are elements of an array are followed from node to node', () => {
  const text = (head: string): string => `static struct node *table[8], *one;
    void add(unsigned key) {
      struct node *n = malloc(sizeof *n);
      n->next = ${head};
      ${head} = n;
    }
    int find(unsigned key) {
      struct node *n = ${head};
      while (n != NULL && n->val != 1) n = n->next;
      return n != NULL;
    }`;
  const why =
    'heads are elements of table are followed from node to node alone: it is known that two links lead to two nodes, ' +
    'and not which nodes a head reaches';
  expect(reasons(text('table[key % 8]'), 'module')).toEqual([`lists of struct node whose ${why}`]);
  const clear = `void clear(void) { for (unsigned i = 0; i < 8; i++)
      while (table[i]) { struct node *n = table[i]; table[i] = n->next; free(n); } }`;
  expect(reasons(`${text('table[key % 8]')} ${clear}`, 'module')).toEqual([`lists of struct node whose ${why}`]);
  expect(reasons(text('one'), 'module')).toEqual([]);
  expect(reasons(text('table[3]'), 'module')).toEqual([]);
});

test('there is advice where something is not followed', () => {
  const pool = (head: string): string => `static struct node *table[8];
    void add(unsigned key) { struct node *n = malloc(sizeof *n); n->next = ${head}; ${head} = n; }
    int has(unsigned key) { struct node *n = ${head}; while (n != NULL) n = n->next; return n != NULL; }`;
  expect(reasons(pool('table[3]'), 'module', remarksOnLinks)).toEqual([]);
  expect(reasons(pool('table[key % 8]'), 'module', remarksOnLinks)).toEqual([
    expect.stringContaining('heads are elements of table'),
    'more time seldom helps where links are not followed: functions in another file, which leave such structures to ' +
      'stubs, can be proved without them',
  ]);
});
