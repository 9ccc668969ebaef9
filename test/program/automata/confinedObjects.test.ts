/** Which automatic objects are confined, and that a pointer to one that has ended is found all the same. */
import { loadProgram } from '../../../src/program';
import { confinedObjects } from '../../../src/program/automata/confinedObjects';
import { Machine } from '../../../src/semantics';
import { file } from '../../engines/task';

function confinedIn(text: string, name = 'f'): string[] {
  const program = loadProgram([file(text)], { externals: 'any' });
  const { place } = confinedObjects(program);
  return program.functionByName
    .get(name)!
    .objects.filter((object) => place(object) !== undefined)
    .map((object) => object.name);
}

const callees = `
  static int *kept; static int *table[2]; struct box { int *p; };
  static int look(const int *p) { int s = 0; for (const int *q = p; q < p + 1; q++) s += *q; return s; }
  static int set(int *p) { *p = 1; return *p; }
  static void keep(int *p) { kept = p; }
  static void put(int *p) { table[1] = p; }
  static int *same(int *p) { return p; }
  static long number(int *p) { return (long)p; }
  static int deeper(int *p, int n) { return n ? deeper(p, n - 1) : set(p); }
  static int twice(int (*g)(int *), int *p) { return g(p); }
  int outside(int *p);`;

test.each([
  ['an array that is only accessed', 'int x[3] = { n }; return x[n & 1];', ['x']],
  ['an address that a function reads through', 'int x = n; return look(&x);', ['x']],
  ['and passes on', 'int x = n; return deeper(&x, n);', ['x']],
  ['a result that is used at once', 'int x = n; return *same(&x);', ['x']],
  ['a local pointer, where the object begins once', 'int x = n; int *p = &x; p++; return p[-1];', ['x']],
  [
    'a local pointer, where it begins again',
    'int s = 0; for (; n; n--) { int x = n; int *p = &x; s += *p; } return s;',
    [],
  ],
  [
    'a result kept where it begins again',
    'int *p = 0; again: { int x = n; p = same(&x); } if (n--) goto again; return !p;',
    [],
  ],
  ['a global pointer', 'int x = n; kept = &x; return *kept;', []],
  ['a function that keeps it', 'int x = n; keep(&x); return x;', []],
  ['a function that stores it', 'int x = n; put(&x); return x;', []],
  ['a member', 'int x = n; struct box b = { &x }; return *b.p;', ['b']],
  ['a number', 'int x = n; return (int)number(&x);', []],
  ['a number that is made on the spot', 'int x = n; return (int)(long)&x;', []],
  ['a function without a definition', 'int x = n; return outside(&x);', []],
  ['an indirect call', 'int x = n; return twice(set, &x);', []],
  ['a comparison', 'int x = n, y = 1; return &x == &y || look(&x);', ['x', 'y']],
  ['a choice', 'int x = n, y = 1; return look(n ? &x : &y);', ['x', 'y']],
  ['a choice that is kept', 'int x = n, y = 1; kept = n ? &x : &y; return 0;', []],
])('%s', (_, body, expected) => {
  expect(confinedIn(`${callees} int f(int n) { ${body} }`)).toEqual(expected);
});

test('a returned address', () => {
  expect(confinedIn('int *f(int n) { int x = n; return &x; }')).toEqual([]);
  expect(confinedIn(`${callees} int *f(int n) { int x = n; return same(&x); }`)).toEqual([]);
});

test('functions that control may jump back into have none', () => {
  const jumping =
    '#include <setjmp.h>\nstatic jmp_buf at; int f(int n) { int x[2] = { n }; if (setjmp(at)) return 1; return x[0]; }';
  expect(confinedIn(jumping)).toEqual([]);
});

describe.each(['reference', 'compiled'] as const)('%s: a pointer to an object that has ended is found', (execution) => {
  test.each([
    [
      'begun again in a loop',
      'int s = 0, *p = 0; for (int i = 0; i < 3; i++) { int x = i; if (p) s += *p; p = &x; } return s;',
    ],
    [
      'through a result',
      'int s = 0, *p = 0; for (int i = 0; i < 3; i++) { int x = i; if (p) s += *p; p = same(&x); } return s;',
    ],
    ['another begun in its place', 'int *p; { int x = n; p = &x; look(p); } { int y = 2; look(&y); return *p; }'],
    ['kept by a function', '{ int x = n; keep(&x); } { int y = 2; set(&y); } return *kept;'],
    ['of a function that returned', 'return *same(gone()) + look(kept);'],
  ])('%s', (_, body) => {
    const text = `${callees} static int *gone(void) { int z = 1; keep(&z); return &z; } int f(int n) { ${body} }`;
    const program = loadProgram([file(text)], { externals: 'any' });
    const outcome = new Machine(program, { execution }).call(program.functionByName.get('f')!, [3]);
    expect(outcome.kind).toBe('fault');
  });
});
