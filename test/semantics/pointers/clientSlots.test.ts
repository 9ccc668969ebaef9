/**
 * Which members of clients' structures hold null or a function, whatever the program does: those into which it puts
 * nothing else.
 */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import { file } from '../../engines/task';

const ops = '#include <string.h>\nstruct ops { int n; int (*f)(int); int (*g)(int); };\n';
const calls = 'int go(struct ops *o) { return o && o->f && o->g ? o->f(1) + o->g(1) : 0; }';

/** The members, by their offset. */
function claimed(...texts: readonly string[]): number[] {
  const program = loadProgram(
    texts.map((text) => file(text)),
    { externals: 'any' },
  );
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const { memoryModel } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety'] as const),
  });
  return memoryModel.regions.roots().flatMap((node) => {
    const layout = memoryModel.regions.layout(node);
    return layout.kind === 'slots'
      ? layout.slots.filter((slot) => memoryModel.clientSlots.at(node, slot)).map(({ offset }) => offset)
      : [];
  });
}

test.each([
  ['what a client put there', '', [8, 16]],
  [
    'functions of the module, null, and what it got as an argument',
    'static int own(int v) { return v; } ' +
      'void set(struct ops *o, int (*h)(int)) { if (o) { o->f = h ? h : own; o->g = 0; } }',
    [8, 16],
  ],
  [
    'what lies in another such member',
    'void swap(struct ops *o) { if (o) { int (*h)(int) = o->f; o->f = o->g; o->g = h; } }',
    [8, 16],
  ],
  [
    'what a variable of the file keeps',
    'static int (*kept)(int); void keep(int (*h)(int)) { kept = h; } void set(struct ops *o) { if (o) o->f = kept; }',
    [8, 16],
  ],
  ['zeros', 'void reset(struct ops *o) { if (o) memset(o, 0, sizeof *o); }', [8, 16]],
  [
    'a copy of another client’s',
    'void copy(struct ops *o, const struct ops *from) { if (o && from) *o = *from; }',
    [8, 16],
  ],
  [
    'a copy of a table of the module',
    'static int own(int v) { return v; } static const struct ops usual = { 1, own, own }; ' +
      'void set(struct ops *o) { if (o) *o = usual; }',
    [8, 16],
  ],
  ['numbers beside it', 'void count(struct ops *o) { if (o) o->n++; }', [8, 16]],
])('%s', (_, text, members) => {
  expect(claimed(`${ops}${text}\n${calls}`)).toEqual(members);
});

test('elements of an array', () => {
  expect(
    claimed(
      'struct table { int (*all[3])(int); }; ' +
        'int go(struct table *t, unsigned i) { return t && i < 3 && t->all[i] ? t->all[i](1) : 0; }',
    ),
  ).toEqual([0]);
});

test.each([
  ['pointers', 'int go(int (**all)(int), unsigned n) { return all && all[n] ? all[n](1) : 0; }', [0]],
  [
    'structures',
    'struct command { int key; int (*f)(int); }; ' +
      'int go(const struct command *all, unsigned n) { return all && all[n].f ? all[n].f(1) : 0; }',
    [8],
  ],
])('elements of an array of %s that clients pass', (_, text, members) => {
  expect(claimed(text)).toEqual(members);
});

test.each([
  [
    'with a flexible array',
    'struct ops { int n; int (*f)(int); int *data[]; }; ' +
      'int go(struct ops *o, unsigned i) { return o && o[i].f ? o[i].f(1) : o != 0 && o->data[2 * i] != 0; }',
  ],
  [
    'that end in an array of one element',
    'struct ops { int (*f)(int); int *data[1]; }; ' +
      'int go(struct ops *o, unsigned long i) { return o->f && o->data[2 * i + 1] ? o->f(1) : 0; }',
  ],
  ...['int *data[]', 'int *data[0]'].flatMap((data): [string, string][] =>
    [`${data};`, `struct { long n; ${data}; } in;`].map((last, nested) => [
      `that end in ${last}`,
      `struct ops { int (*f)(int); ${nested ? '' : 'long n; '}${last} }; ` +
        `int go(struct ops *o, unsigned i) { int **d = o->${nested ? 'in.' : ''}data; ` +
        'return o->f && d[sizeof *o / 8 * i] ? o->f(1) : 0; }',
    ]),
  ),
  [
    'of one pointer, behind which there may be others',
    'struct ops { int (*f)(int); }; ' +
      'int go(struct ops *o, unsigned i) { int **data = (int **)(o + 1); return o && (o->f || data[i]) ? 1 : 0; }',
  ],
  [
    'that longer ones begin with',
    'struct ops { int (*f)(int); int n; }; struct longer { struct ops begin; int *data; int *more; }; ' +
      'int go(struct ops *o, unsigned i) { ' +
      'return o && (o->f || ((struct longer *)o)[i].begin.f || ((struct longer *)o)[i].data) ? 1 : 0; }',
  ],
  ...[
    ['', 'structures of their size'],
    ['void *', 'structures of their size, by void *,'],
  ].map(([by, name]): [string, string] => [
    `that ${name} may follow`,
    'struct ops { int (*f)(int); long n; }; struct block { int *data; long size; }; ' +
      'int go(struct ops *o, unsigned i) { ' +
      `return o && o->f && ((struct block *)${by && `(${by})`}(o + 1))[i].data ? o->f(1) : 0; }`,
  ]),
  [
    'that may be accessed by a union',
    'struct ops { int (*f)(int); long n; }; struct block { int *data; long size; }; ' +
      'int go(struct ops *o, unsigned i) { union { struct ops *o; struct block *b; } u; u.o = o; ' +
      'return o && o->f && u.b[i + 1].data ? o->f(1) : 0; }',
  ],
  [
    'behind whose last member other data may lie',
    'struct ops { int (*f)(int); long n; }; ' +
      'int go(struct ops *o, unsigned i) { int **data = (int **)(&o->n + 1); ' +
      'return o && o->f && data[2 * i] ? o->f(1) : 0; }',
  ],
])('nothing is known of elements %s', (_, text) => {
  expect(claimed(text)).toEqual([]);
});

test.each([
  [
    'what a call gives, which nobody follows',
    'static int (*chosen(int (*h)(int), int n))(int) { return n ? h : 0; } ' +
      'void set(struct ops *o, int (*h)(int)) { if (o) o->f = chosen(h, o->n); }',
    [16],
  ],
  ['a number made a pointer', 'void set(struct ops *o, unsigned long n) { if (o) o->f = (int (*)(int))n; }', []],
  // The client has a pointer to it then, whatever its type: nothing is known of where clients' pointers lead.
  ['an object’s address', 'static int x; void set(struct ops *o) { if (o) o->f = (int (*)(int))(void *)&x; }', []],
  [
    'a function of another type',
    'static double other(double v) { return v; } void set(struct ops *o) { if (o) o->f = (int (*)(int))other; }',
    [16],
  ],
  ['bytes that are not zero', 'void set(struct ops *o) { if (o) memset(o, 1, sizeof *o); }', []],
  ['zeros in half of it', 'void set(struct ops *o) { if (o) memset(o, 0, 12); }', [16]],
  ['zeros nobody knows how far', 'void set(struct ops *o, unsigned n) { if (o && n < 20) memset(o, 0, n); }', []],
  [
    'a variable that was not set',
    'void set(struct ops *o, int n) { int (*h)(int); if (n) h = 0; if (o) o->f = h; }',
    [16],
  ],
  [
    'the result of a function that is in no file',
    'int (*find(void))(int); void set(struct ops *o) { if (o) o->f = find(); }',
    [],
  ],
  [
    'a visible variable, which clients write',
    'int (*shared)(int); void set(struct ops *o) { if (o) o->f = shared; }',
    [16],
  ],
  [
    'a copy of an object of the function, of which nothing is known',
    'void set(struct ops *o) { struct ops of; of.n = 1; if (o) *o = of; }',
    [],
  ],
  [
    'a table whose member is a number',
    'static const struct ops odd = { 1, (int (*)(int))64, 0 }; void set(struct ops *o) { if (o) *o = odd; }',
    [],
  ],
  [
    'another member that something else is put into',
    'void set(struct ops *o, unsigned long n) { if (o) { o->g = (int (*)(int))(void *)&o->n; o->f = o->g; } }',
    [],
  ],
])('not: %s', (_, text, members) => {
  expect(claimed(`${ops}${text}\n${calls}`)).toEqual(members);
});

test.each([
  [
    'behind void *',
    'struct ops { int (*f)(int); }; int go(void *p) { struct ops *o = p; return o && o->f ? o->f(1) : 0; }',
  ],
  [
    'in a union',
    'struct u { union { int (*f)(int); long n; } as; }; int go(struct u *o) { return o && o->as.f ? o->as.f(1) : 0; }',
  ],
  [
    'in a structure of the same name that has something else there',
    'struct ops { long n; }; long first(struct ops *o) { return o ? o->n : 0; }',
    'struct ops { int (*f)(int); }; int go(struct ops *o) { return o && o->f ? o->f(1) : 0; }',
  ],
  [
    'in arrays of such structures',
    'struct ops { int (*f)(int); int n; }; int go(struct ops (*p)[4]) { return p && (*p)[0].f ? 1 : 0; }',
    'struct ops { int *f; int n; }; int *at(struct ops (*p)[4]) { return p ? (*p)[0].f : 0; }',
  ],
  [
    'behind a pointer to a pointer to such structures',
    'struct ops { int (*f)(int); int n; }; int go(struct ops **p) { return p && *p && (*p)->f ? 1 : 0; }',
    'struct ops { int *f; int n; }; int *at(struct ops **p) { return p && *p ? (*p)->f : 0; }',
  ],
  [
    'in such structures that others lead to',
    'struct ops { int (*f)(int); int n; }; struct o { struct ops *in; }; ' +
      'int go(struct o *p) { return p && p->in && p->in->f ? 1 : 0; }',
    'struct ops { int *f; int n; }; struct o { struct ops *in; }; ' +
      'int *at(struct o *p) { return p && p->in ? p->in->f : 0; }',
  ],
  [
    'after zeros without end',
    '#include <string.h>\nstruct ops { int (*f)(int); int n; }; ' +
      'void set(struct ops *o, unsigned i) { if (i < 2 && o[i].f) memset(o, 0, 1UL << 40); }',
  ],
  [
    'in a type that a client’s function cannot have',
    'struct two { int a[2]; }; struct t { struct two (*f)(void); }; ' +
      'int go(struct t *o) { return o && o->f ? o->f().a[0] : 0; }',
  ],
])('nothing is known %s', (_, ...texts) => {
  expect(claimed(...texts)).toEqual([]);
});

test.each([
  [
    'what may lie behind the end is none of them',
    'struct ops { int (*f)(int); int *data[]; }; int *at(struct ops *o, int i) { return o ? o->data[i] : 0; } ' +
      'int go(struct ops *o) { return o && o->f ? o->f(1) : 0; }',
    [],
  ],
  [
    'nor what a longer structure has there',
    'struct ops { int (*f)(int); }; struct longer { struct ops begin; int *data; }; ' +
      'int *at(struct ops *o) { return o ? ((struct longer *)o)->data : 0; } ' +
      'int go(struct ops *o) { return o && o->f ? o->f(1) : 0; }',
    [],
  ],
  [
    'a function that C takes for compatible by way of one without parameters',
    'static int own(int a, int b) { return a + b; } static int (*x)(); struct ops { int (*f)(int); int n; }; ' +
      'void set(struct ops *o) { x = own; if (o) o->f = x; } ' +
      'int go(struct ops *o) { return o && o->f ? o->f(1) : 0; }',
    [],
  ],
])('%s', (_, text, members) => {
  expect(claimed(text)).toEqual(members);
});
