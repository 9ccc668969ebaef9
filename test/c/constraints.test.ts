/**
 * Constraints of C11: each wrong text is rejected with a place and the words given, its neighbour is accepted. Where
 * there is a compiler, it must agree on both.
 */
import { spawnSync } from 'node:child_process';
import { CError, readCText } from '../../src/c';
import { testWithCompiler } from './compiler';
import { isLong } from '../long';

/** Wrong; the place's text, and what the message says; right. */
const table: readonly (readonly [string, string, string, string])[] = [
  // 6.4 and 6.7: words, declarations
  ['int x = 08;', '08', 'not octal', 'int x = 07;'],
  ['int x = 1.5.2;', '1.5.2', 'is not a number', 'double x = 1.5;'],
  ["int x = '';", "''", 'empty character constant', "int x = 'a';"],
  ['int a; char a;', 'a', 'conflicting types', 'int a; int a;'],
  ['void f(void) { int a; int a; }', 'a', 'declared twice', 'void f(void) { int a; { int a; } }'],
  ['int f(int); int f(char *);', 'f', 'conflicting types', 'int f(int); int f(int x);'],
  ['int x = 1; int x = 2;', 'x', 'defined twice', 'int x; int x = 2;'],
  [
    'int f(void) { return 1; } int f(void) { return 2; }',
    'f',
    'defined twice',
    'int f(void); int f(void) { return 2; }',
  ],
  ['static int x; int x;', 'x', 'static', 'static int x; extern int x;'],
  ['typedef int T; typedef char T;', 'T', 'defined differently', 'typedef int T; typedef int T;'],
  ['struct s { int a; }; struct s { int b; };', 's', 'defined twice', 'struct s; struct s { int b; };'],
  ['struct s { int a; }; union s u;', 'union s', 'not a union', 'struct s { int a; }; struct s u;'],
  ['struct s { int a; int a; };', 'a', 'two members', 'struct s { int a; int b; };'],
  ['struct s x;', 'x', 'incomplete', 'struct s *x;'],
  ['struct s { struct s inner; };', 'inner', 'incomplete', 'struct s { struct s *inner; };'],
  ['struct s { int f(void); };', 'f', 'is a function', 'struct s { int (*f)(void); };'],
  ['struct s { int a[]; int b; };', 'a', 'last member', 'struct s { int b; int a[]; };'],
  ['struct s { int a : 33; };', '33', 'wider', 'struct s { int a : 32; };'],
  ['struct s { int a : -1; };', '-1', 'negative width', 'struct s { int a : 1; };'],
  ['struct s { int a : 0; };', '0', 'width 0', 'struct s { int : 0; int b; };'],
  ['struct s { float a : 3; };', 'a', 'not an integer', 'struct s { unsigned a : 3; };'],
  ['enum e { A = 1.5 };', '1.5', 'integer', 'enum e { A = 1 };'],
  ['enum e { A, A };', 'A', 'A', 'enum e { A, B };'],
  ['int a[-1];', '-1', 'negative', 'int a[1];'],
  ['int a[1.5];', '1.5', 'not an integer', 'int a[2];'],
  ['int n; int a[n];', 'n', 'not a constant', 'enum { n = 3 }; int a[n];'],
  ['void a[3];', 'a', 'array of void', 'char a[3];'],
  ['int f(void)[3];', 'f', 'return an array', 'int (*f(void))[3];'],
  ['int a[3](void);', 'a', 'array of functions', 'int (*a[3])(void);'],
  ['void f(void) { void x; }', 'x', 'type void', 'void f(void) { void *x; }'],
  ['void f(int, void);', 'void', 'only parameter', 'void f(void);'],
  ['void f(int a, int a);', 'a', 'two parameters', 'void f(int a, int b);'],
  ['long char x;', 'long char', 'not a type', 'long int x;'],
  ['static extern int x;', 'extern', 'in one declaration', 'extern int x;'],
  ['extern extern int x;', 'extern', 'twice', 'extern int x;'],
  ['register int x;', 'x', "cannot be 'register'", 'void f(void) { register int x; }'],
  ['void f(void) { extern int x = 1; }', '1', 'extern', 'void f(void) { extern int x; }'],
  ['int f(static int x);', 'static int x', "a parameter cannot be 'static'", 'int f(register int x);'],
  ['void f(_Alignas(8) int x);', '_Alignas(8)', "cannot have '_Alignas'", 'void f(int x);'],
  [
    '_Alignas(8) typedef int T;',
    '_Alignas(8)',
    'cannot stand in the declaration of a type',
    'typedef int T; _Alignas(8) T x;',
  ],
  ['_Alignas(8) int f(void);', '_Alignas(8)', 'cannot stand in the declaration of a function', 'int f(void);'],
  ['struct s { _Alignas(8) int x : 3; };', '_Alignas(8)', 'bit-field', 'struct s { _Alignas(8) int x; };'],
  ['_Alignas(2) int x;', '_Alignas(2)', 'less than that of its type', '_Alignas(4) int x;'],
  ['_Thread_local int f(void);', '_Thread_local', '_Thread_local', 'int f(void);'],
  ['restrict int x;', 'restrict int', "'restrict' needs a pointer", 'int *restrict x;'],
  ['union u { int n; char a[]; };', 'a', 'in a union', 'struct s { int n; char a[]; };'],
  ['static int a[];', 'a', 'length of the array', 'static int a[2];'],
  ['void f(void) { int x; extern int x; }', 'x', 'declared twice', 'void f(void) { int x; { extern int y; } }'],
  [
    'void f(void) { for (static int i = 0; i < 3; i++) ; }',
    'static int i = 0;',
    "cannot declare something 'static'",
    'void f(void) { for (int i = 0; i < 3; i++) ; }',
  ],
  ['int f(register int x) { return *&x; }', '&x', "declared 'register'", 'int f(register int x) { return x; }'],
  [
    'int x = _Generic(1, int[]: 1, default: 2);',
    'int[]: 1',
    'needs a complete type',
    'int x = _Generic(1, int *: 1, default: 2);',
  ],
  ['int x = _Alignof(int[]);', '_Alignof(int[])', 'incomplete', 'int x = _Alignof(int[2]);'],
  ['int a\u{10ffff};', '\u{10ffff}', 'not part of C', 'int aé;'],
  ['int x = y;', 'y', 'undeclared', 'int y; int *x = &y;'],
  ['int y; int x = y;', 'y', 'must be a constant', 'int y; int *x = &y;'],
  ['int x = { };', '{ }', 'empty braces', 'int x = { 0 };'],
  ['int a[2] = 3;', '3', 'list in braces', 'int a[2] = { 3 };'],
  ['int a[2] = { [2] = 1 };', '[2]', 'outside the array', 'int a[2] = { [1] = 1 };'],
  ['struct { int a; } s = { .b = 1 };', 'b', 'no member', 'struct { int a; } s = { .a = 1 };'],
  ['_Static_assert(0, "no");', '0', 'static assertion failed: no', '_Static_assert(1, "yes");'],
  ['_Static_assert(1.0, "no");', '1.0', 'must be an integer', '_Static_assert(1, "yes");'],
  ['_Alignas(3) int x;', '3', 'power of two', '_Alignas(8) int x;'],
  // 6.5: expressions
  ['int f(void) { return g; }', 'g', 'undeclared', 'int g; int f(void) { return g; }'],
  ['void f(void) { 1 = 2; }', '1', 'not a place', 'void f(int a) { a = 2; }'],
  ['void f(int a) { a + 1 = 2; }', 'a + 1', 'not a place', 'void f(int *a) { *(a + 1) = 2; }'],
  ['void f(const int a) { a = 2; }', 'a', 'const', 'void f(const int *a) { a = 0; }'],
  ['void f(const int *a) { *a = 2; }', '*a', 'const', 'void f(int *const a) { *a = 2; }'],
  [
    'int a[2], b[2]; void f(void) { a = b; }',
    'a',
    'array cannot be assigned',
    'int a[2], b[2]; void f(void) { a[0] = b[0]; }',
  ],
  ['void f(int a) { a++ ++; }', 'a++', 'not a place', 'void f(int a) { a++; }'],
  ['int f(int a) { return *a; }', '*a', 'needs a pointer', 'int f(int *a) { return *a; }'],
  ['int f(int a) { return a[1]; }', 'a[1]', 'array or a pointer', 'int f(int *a) { return a[1]; }'],
  ['int f(int *a) { return a[1.5]; }', '1.5', 'must be an integer', 'int f(int *a) { return 1[a]; }'],
  ['int f(int a) { return a(1); }', 'a(1)', 'not a function', 'int f(int (*a)(int)) { return a(1); }'],
  ['int g(int); int f(void) { return g(); }', 'g()', 'too few', 'int g(); int f(void) { return g(); }'],
  [
    'int g(int); int f(void) { return g(1, 2); }',
    'g(1, 2)',
    'too many',
    'int g(int, ...); int f(void) { return g(1, 2); }',
  ],
  [
    'struct s { int a; } x; int f(void) { return x.b; }',
    'b',
    'no member',
    'struct s { int a; } x; int f(void) { return x.a; }',
  ],
  [
    'struct s { int a; } *x; int f(void) { return x.a; }',
    'x.a',
    'Write',
    'struct s { int a; } *x; int f(void) { return x->a; }',
  ],
  [
    'struct s { int a; } x; int f(void) { return x->a; }',
    'x->a',
    'Write',
    'struct s { int a; } x; int f(void) { return (&x)->a; }',
  ],
  ['int f(int a) { return &a + &a; }', '&a + &a', 'invalid operands', 'int f(int a) { return &a - &a; }'],
  ['int f(double a) { return a % 2; }', 'a % 2', 'invalid operands', 'int f(int a) { return a % 2; }'],
  ['int f(double a) { return a << 2; }', 'a << 2', 'invalid operands', 'int f(int a) { return a << 2; }'],
  ['int f(double a) { return ~a; }', '~a', 'not an integer', 'int f(double a) { return -a; }'],
  [
    'struct s { int a; } x; int f(void) { return !x; }',
    'x',
    'must be a number or a pointer',
    'struct s { int a; } *x; int f(void) { return !x; }',
  ],
  [
    'struct s { int a; } x, y; int f(void) { return x == y; }',
    'x == y',
    'one by one',
    'struct s { int a; } x, y; int f(void) { return x.a == y.a; }',
  ],
  [
    'struct s { int a; } x; void f(void) { x = 1; }',
    'x = 1',
    'incompatible types',
    'struct s { int a; } x; void f(void) { x = x; }',
  ],
  [
    'void g(void); int f(void) { return g() + 1; }',
    'g()',
    'has no value',
    'int g(void); int f(void) { return g() + 1; }',
  ],
  ['void g(void); int f(int a) { return a ? g() : 1; }', '1', '', 'void g(void); void f(int a) { a ? g() : (void)1; }'],
  ['int f(void) { return &1; }', '&1', "'&' needs", 'int *f(int *a) { return &*a; }'],
  [
    'struct { int a : 3; } x; int *f(void) { return &x.a; }',
    '&x.a',
    'bit-field',
    'struct { int a; } x; int *f(void) { return &x.a; }',
  ],
  ['void f(void) { register int x; &x; }', '&x', 'register', 'void f(void) { int x; &x; }'],
  [
    'struct s; int f(void) { return sizeof(struct s); }',
    'sizeof(struct s)',
    'incomplete',
    'struct s; int f(void) { return sizeof(struct s *); }',
  ],
  [
    'struct { int a : 3; } x; int f(void) { return sizeof x.a; }',
    'sizeof x.a',
    'bit-field',
    'struct { int a; } x; int f(void) { return sizeof x.a; }',
  ],
  [
    'struct s { int a; } x; int f(void) { return (int)x; }',
    '(int)x',
    'cannot be cast',
    'struct s { int a; } x; int f(void) { return (int)x.a; }',
  ],
  [
    'double f(int *a) { return (double)a; }',
    '(double)a',
    'cannot be cast',
    'double f(int *a) { return (double)(long)a; }',
  ],
  [
    'int f(int a) { return _Generic(a, char: 1); }',
    'a',
    'no association',
    'int f(int a) { return _Generic(a, char: 1, default: 2); }',
  ],
  [
    'int f(int a) { return _Generic(a, int: 1, int: 2); }',
    'int: 2',
    'two associations',
    'int f(int a) { return _Generic(a, int: 1, long: 2); }',
  ],
  [
    'int f(int a) { return _Generic(a, int: 1, char: b); }',
    'b',
    'undeclared',
    'int f(int a) { return _Generic(a, int: 1, char: a); }',
  ],
  // 6.8 and 6.9: statements, functions
  ['void f(void) { break; }', 'break;', 'outside', 'void f(void) { for (;;) break; }'],
  ['void f(void) { continue; }', 'continue;', 'outside', 'void f(void) { for (;;) continue; }'],
  ['void f(int a) { case 1: ; }', 'case 1:', 'outside', 'void f(int a) { switch (a) case 1: ; }'],
  [
    'void f(int a) { switch (a) { case 1: case 1: ; } }',
    'case 1:',
    '',
    'void f(int a) { switch (a) { case 1: case 2: ; } }',
  ],
  [
    'void f(int a) { switch (a) { default: default: ; } }',
    'default:',
    "two 'default'",
    'void f(int a) { switch (a) { default: ; } }',
  ],
  ['void f(int a) { switch (a) { case 1.5: ; } }', '1.5', 'integer', 'void f(int a) { switch (a) { case 1: ; } }'],
  [
    'void f(int a, int b) { switch (a) { case b: ; } }',
    'b',
    'constant',
    'enum { b }; void f(int a) { switch (a) { case b: ; } }',
  ],
  ['void f(double a) { switch (a) { default: ; } }', 'a', '', 'void f(int a) { switch (a) { default: ; } }'],
  ['void f(void) { goto l; }', 'l', 'no label', 'void f(void) { goto l; l: ; }'],
  ['void f(void) { l: ; l: ; }', 'l', 'two labels', 'void f(void) { l: ; m: ; }'],
  [
    'struct s { int a; } x; void f(void) { if (x) ; }',
    'x',
    'must be a number or a pointer',
    'struct s { int a; } x; void f(void) { if (x.a) ; }',
  ],
  ['int f(void) { else ; }', 'else', 'without', 'int f(int a) { if (a) ; else ; return a; }'],
  ['typedef int f(void) { return 1; }', 'f', '', 'static int f(void) { return 1; }'],
  ['int a, f { return 1; }', '{', '', 'int a, f(void);'],
  ['int f(void) { return 1 }', '}', "expected ';'", 'int f(void) { return 1; }'],
  ['int f(void) { return (1; }', ';', "expected ')'", 'int f(void) { return (1); }'],
  ['int f(void) { if (1) { return 1; }', '', "expected '}'", 'int f(void) { if (1) { } return 1; }'],
];

/** The first error's place and words; undefined when the text is accepted. */
function firstError(text: string): { readonly place: string | undefined; readonly said: string } | undefined {
  try {
    readCText(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    const [first] = error.diagnostics.filter(({ severity }) => severity === 'error');
    return {
      place: first?.span && text.slice(first.span.start, first.span.end),
      said: `${first?.message} ${first?.hint ?? ''}`,
    };
  }
}

test.each(table)('%s', (wrong, place, words, right) => {
  const error = firstError(wrong);
  if (!error) throw new Error('it was accepted');
  expect(error.said).not.toMatch(/^(undefined)? *$/);
  if (words !== '') expect(error.said).toContain(words);
  if (words !== '' && place !== '') expect(error.place).toContain(place.replace(/^[{}]|;$/, ''));
  expect(firstError(right)).toBeUndefined();
});

testWithCompiler('the compiler rejects and accepts the same', () => {
  const accepts = (text: string): boolean =>
    spawnSync('cc', ['-std=c11', '-pedantic-errors', '-w', '-fsyntax-only', '-x', 'c', '-'], { input: text }).status ===
    0;
  // The compiler is started for each of them.
  const rows = table.filter((_, i) => isLong || i % 4 === 0);
  expect(rows.filter(([wrong]) => accepts(wrong)).map(([wrong]) => wrong)).toEqual([]);
  expect(rows.filter(([, , , right]) => !accepts(right)).map(([, , , right]) => right)).toEqual([]);
});
