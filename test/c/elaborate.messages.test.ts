/** Messages of the front end: their frames, their number, what follows from them, and warnings. */
import { formatDiagnostic } from '../../src/c/diagnostics/diagnostic';
import { readCText } from '../../src/c/read';
import { diagnosticsOf } from './diagnosticText';

test('a message shows the place, the declaration it is about, and what to do', () => {
  expect(() => readCText('static int counter;\n\nint next(void) {\n  return ++countr;\n}\n', 'counter.c')).toThrow(
    new Error(
      [
        "counter.c:4:12: error: use of the undeclared identifier 'countr'",
        '  3 | int next(void) {',
        '> 4 |   return ++countr;',
        '    |            ^^^^^^',
        '  5 | }',
        "counter.c:1:12: note: 'counter' is declared here",
        '> 1 | static int counter;',
        '    |            ^^^^^^^',
        '  2 |',
        "hint: Did you mean 'counter'?",
      ].join('\n'),
    ),
  );
});

test('several errors at once, each once, in the order of the text', () => {
  const text = [
    'int f(int x) {',
    '  int y = x',
    '  y = unknown;',
    '  return z + 1;',
    '}',
    'struct s { int a; };',
    'int g(struct s *p) {',
    '  while (p->b) unknown2();',
    '  return p->a;',
    '}',
  ].join('\n');
  expect(diagnosticsOf(text)).toEqual([
    "2:12-12 expected ';' at the end of a declaration",
    "3:7-13 use of the undeclared identifier 'unknown'",
    "4:10-10 use of the undeclared identifier 'z'",
    "8:13-13 no member named 'b' in 'struct s' [Its members are 'a'.]",
    "8:16-23 call of the undeclared function 'unknown2' [Declare it first, for example 'extern int unknown2(void);'.]",
  ]);
});

test('what follows from an error is not said', () => {
  expect(diagnosticsOf('unknown_t x; void f(void) { x = 1; x.y; x(); unknown_t z; z++; }')).toEqual([
    "1:1-9 unknown type name 'unknown_t'",
    "1:46-54 unknown type name 'unknown_t'",
  ]);
  expect(diagnosticsOf('struct s { unknown_t a; int b; }; int f(struct s *p) { return p->a + p->c; }')).toEqual([
    "1:12-20 unknown type name 'unknown_t'",
  ]);
  expect(diagnosticsOf('int f(void) { int x = ; return x + 1; }')).toEqual([
    "1:23-23 expected an expression before ';'",
  ]);
  expect(diagnosticsOf('int f(int x) { int a[2] = { 1, + }, b; int c; c = x; return c; }')).toEqual([
    "1:34-34 expected an expression before '}'",
  ]);
  expect(diagnosticsOf('enum e { A, B, 3, C }; struct s { int a; int b = 3; int c; }; int x;')).toEqual([
    "1:16-16 expected the name of an enumeration constant before '3'",
    "1:47-47 expected ';' at the end of a member declaration",
  ]);
  expect(diagnosticsOf('void f(int a[) { a = 0; } void g(void) { f(0); h: ; goto h; }')).toEqual([
    "1:14-14 expected an expression before ')'",
  ]);
  expect(diagnosticsOf('int f(void) { undeclared_t *p = 0; return p->x; }')).toEqual([
    "1:15-26 unknown type name 'undeclared_t'",
  ]);
});

test('a message about a macro shows its use and the text it came from', () => {
  expect(() => readCText('#define TWICE(x) ((x) + missing)\nint f(int y) {\n  return TWICE(y);\n}\n', 'm.c')).toThrow(
    /m\.c:3:10: error: use of the undeclared identifier 'missing'[^]*in expansion of macro 'TWICE'/,
  );
});

test('a structure whose last member ends without a semicolon is one', () => {
  const { units, warnings } = readCText('struct s { int a; int b } v = { 1, 2 };');
  expect(units[0]!.variables.map(({ name }) => name)).toEqual(['v']);
  expect(warnings.map((w) => formatDiagnostic(w).split('\n')[0])).toEqual([
    "input.c:1:25: warning: ';' is missing behind the last member, which compilers let pass",
  ]);
});

test('warnings do not stop anything', () => {
  const { units, warnings } = readCText('int a[2] = {1, 2, 3};');
  expect(units[0]!.variables).toHaveLength(1);
  expect(warnings.map((w) => formatDiagnostic(w).split('\n')[0])).toEqual([
    'input.c:1:19: warning: more initializers than the array has elements',
  ]);
});

test('parameters whose array length is not a constant', () => {
  expect(diagnosticsOf('int f(int n, int a[n], int b[static n + 2], int c[restrict const 3], int d[*]);')).toEqual([]);
  expect(
    diagnosticsOf('int f(int n, int a[n++]); int g(int n, int a[2][n]); int g(int n, int (*a)[*]) { return n; }'),
  ).toEqual(["1:72-77 '[*]' outside the parameters of a declaration"]);
  expect(diagnosticsOf('int f(int n, int a[1.5]);')).toEqual([
    "1:20-22 the length of an array is not an integer but 'double'",
  ]);
});

test('what only parameters may have between brackets, restrict and main', () => {
  expect(diagnosticsOf('int f(int a[static 3], int b[const], int c[restrict]);')).toEqual([]);
  expect(diagnosticsOf('int a[static 3];')).toEqual([
    "1:7-12 'static' and qualifiers stand only between the outermost brackets of a parameter",
  ]);
  expect(diagnosticsOf('int f(int a[3][const 4]);')).toEqual([
    "1:16-20 'static' and qualifiers stand only between the outermost brackets of a parameter",
  ]);
  expect(diagnosticsOf('int f(int a[static]);')).toEqual([
    "1:13-18 'static' needs the least length of the array behind it",
  ]);
  expect(diagnosticsOf('void (*restrict f)(void);')).toEqual([
    "1:7-17 'restrict' needs a pointer to objects, not 'void (*)(void)'",
  ]);
  expect(diagnosticsOf('inline int main(void) { return 0; }')).toEqual([
    "1:12-15 'main' is declared 'inline', which it must not be",
  ]);
});

test('warnings where compilers differ or an alignment is lost', () => {
  const s = 'struct s { unsigned long long f : 36; unsigned g : 4; } s; ';
  expect(
    diagnosticsOf(
      `${s}unsigned long long f(void) { s.f++; s.f += 2; s.g << 1; (unsigned long long)s.f + 1; s.f + 1ull; ` +
        'return s.f; }',
    ),
  ).toEqual([]);
  expect(diagnosticsOf(`${s}unsigned long long f(void) { return (s.f << 1) + (s.f + 1); }`)).toEqual([
    'warning 1:97-99 compilers differ on arithmetic with a bit-field of 36 bits; it is done with 36 bits here, ' +
      "as in GCC [Cast it to 'unsigned long long' to make sure.]",
    'warning 1:110-112 compilers differ on arithmetic with a bit-field of 36 bits; ' +
      "it is done with 36 bits here, as in GCC [Cast it to 'unsigned long long' to make sure.]",
  ]);
  expect(diagnosticsOf('int x __attribute__((aligned(65536)));')).toEqual([]);
  expect(diagnosticsOf('int x __attribute__((aligned(0x20000)));')).toEqual([
    'warning 1:22-37 an alignment of 131072 bytes is not kept: addresses are multiples of 65536',
  ]);
  expect(diagnosticsOf('typedef int odd __attribute__((aligned(1))); int x;')).toEqual([]);
  expect(
    diagnosticsOf(
      'typedef int odd __attribute__((aligned(1))); struct t { char c; odd x; }; ' +
        '_Static_assert(sizeof(struct t) == 5, "");',
    ),
  ).toEqual([]);
  expect(diagnosticsOf('typedef int wide __attribute__((aligned(16))); wide x[2];')).toEqual([
    "1:53-56 'x' is an array whose elements have a size that is no multiple of their alignment (16)",
  ]);
  expect(
    diagnosticsOf(
      'typedef struct { float v[4]; } vec __attribute__((aligned(16))); struct t { char c; vec v; }; ' +
        '_Static_assert(sizeof(struct t) == 32, "");',
    ),
  ).toEqual([]);
});
