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
const words = ({ any, made, parameters }: Targets): string =>
  any ? 'any' : [...(made ? ['made'] : []), ...[...parameters].sort()].join(' ') || 'none';

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
  ['struct n { struct n *next; }; struct n *f(struct n *p) { return p ? p->next : NULL; }', 'any'],
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
  ['void f(int **p) { **p = 1; }', 'any'],
  ['static int *s; void f(int *p) { s = p; *s = 1; }', 'any'],
  ['struct s { int a[4]; unsigned n; }; void f(struct s *s, int x) { s->a[s->n++ & 3] = x; }', '0'],
  ['struct s { int *a; unsigned n; }; void f(struct s *s, int x) { s->a[s->n++] = x; }', '0, any'],
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
  ['struct s { int *p; }; void f(struct s *s) { free(s->p); free(s); }', 'any'],
  ['int *f(int *p) { return realloc(p, 8); }', '0'],
  ['void f(int *p) { if (p) *p = 1; }', 'none'],
  ['void g(void); void f(int *p) { g(); }', 'none'],
  ['void g(int *); void f(int *p) { g(p); }', 'any'],
])('what %s ends', (text, expected) => {
  expect(ended(text)).toBe(expected);
});
