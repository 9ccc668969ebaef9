/** Objects that a call may write or end, and that its result may lead to. */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import type { Targets, WrittenObjects } from '../../../src/semantics/symbolic/writtenObjects';
import type { FunctionDefinition } from '../../../src/program/program';
import type { MemoryModel } from '../../../src/semantics/symbolic/memoryModel';
import { file } from '../../engines/task';

interface Asked {
  readonly objects: WrittenObjects;
  readonly fn: FunctionDefinition;
  readonly memoryModel: MemoryModel;
}

/** About the function `f` of the text; helpers are not taken into their callers. */
function asked(text: string): Asked {
  const program = loadProgram([file(`#include <stdlib.h>\n${text}`)], {
    externals: 'any',
    inlines: { allBut: new Set(), of: 'module' },
  });
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(),
  });
  return {
    objects: system.builder.effects.objects,
    fn: program.functionByName.get('f')!,
    memoryModel: system.memoryModel,
  };
}

/** In words; parameters by number. */
const words = ({ any, made, parameters, reached }: Targets): string =>
  any
    ? 'any'
    : [...(made ? ['made'] : []), ...[...parameters].sort(), ...[...reached].sort().map((one) => `from ${one}`)].join(
        ' ',
      ) || 'none';

const result = (text: string): string => {
  const { objects, fn } = asked(text);
  return words(objects.result(fn));
};
const ended = (text: string): string => {
  const { objects, fn } = asked(text);
  return words(objects.ended(fn));
};
/** Of all memory variables for contents. */
const written = (text: string): string => {
  const { objects, fn, memoryModel } = asked(text);
  const all = memoryModel.variables
    .filter(({ role }) => role.kind === 'slot')
    .map((variable) => objects.written(fn, variable))
    .map(words)
    .filter((one) => one !== 'none');
  return [...new Set(all)].sort().join(', ');
};

test.each([
  ['int *f(void) { int *p = malloc(4); if (p) *p = 1; return p; }', 'made'],
  ['int *f(int *p, int *q) { return p ? p + 1 : NULL; }', '0'],
  ['int *f(int *p, int *q) { if (!p) p = q; return p; }', '0 1'],
  ['int *f(int *p) { int *q = malloc(4); if (!q) return p; return q; }', 'made 0'],
  ['static int s; int *f(void) { return &s; }', 'any'],
  ['static int *s; int *f(void) { return s; }', 'any'],
  ['struct n { struct n *next; }; struct n *f(struct n *p) { return p ? p->next : NULL; }', 'from 0'],
  ['int *f(unsigned long n) { return (int *)n; }', 'any'],
  ['int *f(int n) { int *p; if (n) p = malloc(4); return p; }', 'any'],
  ['int *g(void); int *f(void) { return g(); }', 'any'],
  [
    'static int *g(int *p, int *q, int n) { return n ? g(q, p, n - 1) : p; } ' +
      'int *f(int *p, int *q) { return g(q, p, 3); }',
    '0 1',
  ],
  [
    'static int *g(int *p) { return p; } int *f(int *p, int *q) { int *r = malloc(4); return q ? g(q) : g(r); }',
    'made 1',
  ],
  [
    'static int *g(int *p) { return p; } static int *h(int *p) { return malloc(4); } ' +
      'int *f(int *p, int n) { int *(*k)(int *) = n ? g : h; return k(p); }',
    'made 0',
  ],
])('the result of %s', (text, expected) => {
  expect(result(text)).toBe(expected);
});

test.each([
  ['void f(int *p, int *q, int n) { while (n-- > 0) *p++ = *q; }', '0'],
  ['void f(int *p, int n) { int t[3]; for (int i = 0; i < 3; i++) t[i] = n; if (p) *p = t[n % 3]; }', '0, made'],
  ['void f(int **p) { **p = 1; }', 'from 0'],
  ['static int *s; void f(int *p) { s = p; *s = 1; }', 'any'],
  ['struct s { int a[4]; unsigned n; }; void f(struct s *s, int x) { s->a[s->n++ & 3] = x; }', '0'],
  ['struct s { int *a; unsigned n; }; void f(struct s *s, int x) { s->a[s->n++] = x; }', '0, from 0'],
  ['void g(int *); int f(int *p) { g(p); return *p; }', 'any'],
  [
    'static void g(int *p, int *q, int n) { if (n) g(q, p, n - 1); else *p = 1; } ' +
      'void f(int *p, int *q) { g(p, q, 1); }',
    '0 1',
  ],
  ['void f(int *p, int *q, int n) { int *r; if (n) r = p; *r = 1; }', 'any'],
  ['struct s { int *p; }; void f(struct s s) { *s.p = 1; }', 'any, made'],
])('what %s writes', (text, expected) => {
  expect(written(text)).toBe(expected);
});

test.each([
  ['void f(int *p, int *q) { free(q); }', '1'],
  ['void f(int *p) { int *q = malloc(4); free(q); if (p) *p = 1; }', 'made'],
  ['struct s { int *p; }; void f(struct s *s) { free(s->p); free(s); }', '0 from 0'],
  ['int *f(int *p) { return realloc(p, 8); }', '0'],
  ['void f(int *p) { if (p) *p = 1; }', 'none'],
  ['void g(void); void f(int *p) { g(); }', 'none'],
  ['void g(int *); void f(int *p) { g(p); }', 'any'],
])('what %s ends', (text, expected) => {
  expect(ended(text)).toBe(expected);
});

const list = 'struct n { int v; struct n *next; };';

test.each([
  ['void f(struct n *p) { if (!p) return; f(p->next); free(p); }', '0 from 0'],
  ['void f(struct n *p) { while (p) { struct n *q = p->next; free(p); p = q; } }', '0 from 0'],
  ['void f(struct n *p, struct n *q) { p->next = q; free(p->next->next); }', 'from 0 from 1'],
  // Behind a store of a pointer that may lead anywhere, so does what is loaded.
  ['static struct n *s; void f(struct n *p) { p->next = s; free(p->next); }', 'any'],
  ['static struct n *s; void f(struct n *p) { struct n *q = p->next; p->next = s; free(q); }', 'from 0'],
  ['static struct n *s; void f(struct n *p) { if (p->v) free(p->next); else p->next = s; }', 'from 0'],
  [
    'static struct n *s; static void g(struct n *p) { p->next = s; } void f(struct n *p) { g(p); free(p->next); }',
    'any',
  ],
  ['void g(struct n *); void f(struct n *p) { g(p); free(p->next); }', 'any'],
  // A new node may hold anything before it is written.
  ['void f(struct n *p) { struct n *q = malloc(sizeof *q); p->next = q; free(p->next->next); }', 'any'],
  ['void f(struct n *p) { struct n q; q.next = p; free(q.next); }', 'any'],
  ['void f(struct n *p) { struct n q = *p; free(q.next); }', 'any'],
  ['static struct n *g(struct n *p) { return p->next; } void f(struct n *p) { free(g(g(p))); }', 'from 0'],
  ['void f(struct n **p) { free(*p); *p = NULL; }', 'from 0'],
])('of a list %s ends', (text, expected) => {
  expect(ended(`${list} ${text}`)).toBe(expected);
});

test.each([
  [
    'struct n *f(struct n *p, int v) { if (!p || p->v >= v) { struct n *q = malloc(sizeof *q); ' +
      'q->v = v; q->next = p; return q; } p->next = f(p->next, v); return p; }',
    'made 0',
  ],
  ['struct n *f(struct n *p, struct n *q) { while (p->next) p = p->next; p->next = q; return p; }', '0 from 0'],
  ['struct n *f(struct n *p, struct n *q) { struct n *r = p->next; p->next = q; return r; }', 'from 0'],
  ['struct n *f(struct n *p, struct n *q) { p->next = q; return p->next; }', 'from 0 from 1'],
])('of a list %s returns', (text, expected) => {
  expect(result(`${list} ${text}`)).toBe(expected);
});
