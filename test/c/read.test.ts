import fc from 'fast-check';
import { libraryUnitFor } from '../../src/c/bundled';
import { CError } from '../../src/c/diagnostics/diagnostic';
import { decodeSource, rawByte } from '../../src/c/tokens/sourceBytes';
import { readC, readCText, readLibraryUnit, type ReadResult } from '../../src/c/read';

const files =
  (texts: Readonly<Record<string, string>>) =>
  (path: string): string | undefined =>
    texts[path];
function errorOf(read: () => ReadResult): CError {
  try {
    read();
  } catch (error) {
    if (error instanceof CError) return error;
    throw error;
  }
  throw new Error('no error');
}

test('a file that is named twice is not two', () => {
  expect(errorOf(() => readC(['a.c', 'b.c', 'a.c'], { readFile: () => 'int f(void);' })).message).toBe(
    'error: the file a.c is named twice\nhint: Name each file once.',
  );
});

test('a unit for each path, with all files that were read', () => {
  const {
    units,
    files: read,
    warnings,
  } = readC(['a.c', 'b.c'], {
    readFile: files({
      'a.c': '#include "h.h"\nint a(void) { return N; }',
      'b.c': '#include "h.h"\nint b(void) { return a() + N; }',
      'h.h': 'int a(void);\n#define N 3\n',
    }),
  });
  expect(units.map((unit) => [unit.path, unit.functions.filter((f) => f.body).map((f) => f.name)])).toEqual([
    ['a.c', ['a']],
    ['b.c', ['b']],
  ]);
  expect(read).toEqual(['a.c', 'h.h', 'b.c']);
  expect(warnings).toEqual([]);
});

test('a file that includes itself is read as often as it says, and its errors say where', () => {
  const text = '#ifndef TIMES\n#define TIMES 1\n#include "a.c"\n#else\nint twice(void) { { return 2; } }\n#endif\n';
  expect(readC(['a.c'], { readFile: files({ 'a.c': text }) }).units[0]!.functions.map(({ name }) => name)).toEqual([
    'twice',
  ]);
  expect(
    errorOf(() => readC(['a.c'], { readFile: files({ 'a.c': text.replace('2', 'x') }) })).diagnostics.map(
      ({ message }) => message,
    ),
  ).toEqual(["use of the undeclared identifier 'x'"]);
});

test('a missing file is an error that names it', () => {
  expect(errorOf(() => readC(['no/such/file.c'])).message).toContain("cannot read 'no/such/file.c'");
  expect(errorOf(() => readCText('#include "gone.h"\nfoo x;')).diagnostics.map((d) => d.message)).toEqual([
    "cannot find the header 'gone.h'",
  ]);
});

test('the errors of all files are told, at most twenty', () => {
  const readFile = files({ 'a.c': 'int x = y;', 'b.c': 'int f(void) { return g(); }' });
  expect(
    errorOf(() => readC(['a.c', 'b.c'], { readFile })).diagnostics.map((d) => `${d.span!.file.path} ${d.message}`),
  ).toEqual(["a.c use of the undeclared identifier 'y'", "b.c call of the undeclared function 'g'"]);
  const { diagnostics } = errorOf(() =>
    readCText(Array.from({ length: 30 }, (_, i) => `int x${i} = y${i};`).join('\n')),
  );
  expect(diagnostics).toHaveLength(21);
  expect(diagnostics[20]!.message).toBe('and 10 more errors');
});

test('options reach the preprocessor and the types', () => {
  const text = '#if FLAG\nint x[N]; unsigned long y = sizeof(void *);\n#endif';
  const { units } = readCText(text, 'a.c', { define: { FLAG: true, N: 4 }, dataModel: 'ilp32' });
  expect(
    units[0]!.variables.map((v) => [
      v.name,
      v.type.kind === 'array' ? v.type.length : v.type.kind === 'integer' ? v.type.widthBits : 0,
    ]),
  ).toEqual([
    ['x', 4],
    ['y', 32],
  ]);
  expect(units[0]!.dataModel).toBe('ilp32');
});

test('a function of the C library is a unit of its own', () => {
  expect(readLibraryUnit('no_such_function')).toBeUndefined();
  for (const name of ['strlen', 'memcmp', 'strtol', 'qsort']) {
    if (!libraryUnitFor(name)) continue;
    for (const dataModel of ['lp64', 'ilp32'] as const)
      expect(
        readLibraryUnit(name, { dataModel, define: { size_t: 'nonsense' } })!.functions.some(
          (f) => f.name === name && f.body !== undefined,
        ),
      ).toBe(true);
  }
});

test('names for the host: typedefs, tags, constants of the file scope', () => {
  const [unit] = readCText(
    'typedef struct node { int v; } node; enum color { RED = 2 }; union u; ' +
      'void f(void) { typedef int local; struct inner { int x; }; enum { HIDDEN }; }',
  ).units;
  expect([...unit!.typedefs.keys()]).toEqual(['node']);
  expect([...unit!.tags.keys()]).toEqual(['struct node', 'enum color', 'union u']);
  expect([...unit!.enumConstants]).toEqual([['RED', 2n]]);
});

test('a large file is read quickly', () => {
  const text = `typedef struct node { int v; struct node *next; int a[8]; } node;\n${Array.from(
    { length: 250 },
    (_, i) => `static int f${i}(node *n, int k, unsigned u) {
  int i, sum = 0;
  long total = ${i};
  for (i = 0; i < k; i++) {
    sum += n->a[i & 7] * (int)u;
    if (sum > 100 && n->next != 0) {
      total += sum >> 2;
      n = n->next;
    } else {
      u ^= (unsigned)total + ${i}u;
    }
  }
  switch (sum % 4) {
  case 0: return (int)total;
  case 1: sum--; break;
  default: sum = u ? sum : -sum;
  }
  return sum + (int)total;
}`,
  ).join('\n')}`;
  readCText(text);
  const before = performance.now();
  readCText(text);
  // 4,750 lines; 120 ms alone on a machine of 2024. The bound leaves room for a busy one.
  expect(performance.now() - before).toBeLessThan(3000);
});

test('whatever is read gives a result or a CError, never another failure', () => {
  const words = [
    'int',
    'char',
    'unsigned',
    'struct s',
    'struct s { int a; int b : 3; }',
    'enum e { A, B }',
    'typedef',
    'T',
    'x',
    'y',
    'f',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ';',
    ';',
    ',',
    '*',
    '&',
    '=',
    '1',
    '0',
    '-1',
    '"s"',
    "'c'",
    'if',
    'else',
    'while',
    'for',
    'return',
    'switch',
    'case',
    'break',
    'sizeof',
    'static',
    'const',
    'void',
    '+',
    '++',
    '.a',
    '->b',
    '?',
    ':',
    '<<',
    '==',
    'goto',
    'x:',
    '__typeof__',
    '_Generic',
    '({',
    '})',
    'int x',
    'int f(void) {',
    'A',
    'extern',
    '...',
    '= {',
    '[1] =',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 50 }), (tokens) => {
      try {
        readCText(`typedef int T; int x, y, *p; struct s { int a; } s; int f(int); ${tokens.join(' ')}`);
      } catch (error) {
        expect(error).toBeInstanceOf(CError);
      }
    }),
    { numRuns: 5000 },
  );
});

test('bytes that are not UTF-8 stay what they are', () => {
  const bytes = Uint8Array.from([0x22, 0xff, 0xc3, 0xa9, 0xe9, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0x80, 0xc0, 0x22]);
  const text = decodeSource(bytes);
  expect([...text].filter((c) => rawByte(c.codePointAt(0)!) === undefined).join('')).toBe('"é😀"');
  const { units } = readCText(`const char s[] = ${text};`);
  expect([...units[0]!.variables[0]!.initializer!.strings[0]!.bytes]).toEqual([...bytes.slice(1, -1), 0]);
  expect(errorOf(() => readCText(`int s[] = L${text};`)).message).toContain('the byte 0xff is not UTF-8');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (s) => expect(decodeSource(new TextEncoder().encode(s))).toBe(s)),
  );
});

test('what C99 took out of the language is an error, or read as older C', () => {
  const text = 'int *p = 0; static n; f(a, b) char b; { return a + b + g(1) + n; } h() { return; }';
  expect(errorOf(() => readCText(text)).diagnostics.map(({ message }) => message)).toEqual([
    "type missing before 'n'",
    "type missing before 'f'",
    "the type of the parameter 'a' is missing",
    "call of the undeclared function 'g'",
    "type missing before 'h'",
    "'return' without a value in 'h', which returns 'int'",
  ]);
  const { warnings } = readCText(text, 'a.c', { standard: 'gnu89' });
  expect(warnings.map(({ message }) => message)).toEqual(["call of the undeclared function 'g'"]);
  const wrong = [
    'f(a) int b; { return 0; }',
    'f(a) int a = 1; { return 0; }',
    'f(a, a) { return 0; }',
    'f(a) int a; int a; { return 0; }',
    'int f(int x); int f(x) char *x; { return 0; }',
  ];
  expect(
    wrong.map((one) => errorOf(() => readCText(one, 'a.c', { standard: 'gnu89' })).diagnostics[0]!.message),
  ).toEqual([
    "'b' is not one of the function's parameters",
    "the parameter 'a' cannot have an initializer",
    "two parameters are named 'a'",
    "the parameter 'a' is declared twice",
    "conflicting types for 'f': 'int (char *)', before 'int (int)'",
  ]);
});
