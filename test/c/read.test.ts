import fc from 'fast-check';
import { libraryUnitFor } from '../../src/c/bundled';
import { CError } from '../../src/c/diagnostic';
import { readC, readCText, readLibraryUnit, type ReadResult } from '../../src/c/read';

const files = (texts: Readonly<Record<string, string>>) => (path: string): string | undefined => texts[path];
function errorOf(read: () => ReadResult): CError {
  try {
    read();
  } catch (error) {
    if (error instanceof CError) return error;
    throw error;
  }
  throw new Error('no error');
}

test('a unit for each path, with all files that were read', () => {
  const { units, files: read, warnings } = readC(['a.c', 'b.c'], { readFile: files({ 'a.c': '#include "h.h"\nint a(void) { return N; }', 'b.c': '#include "h.h"\nint b(void) { return a() + N; }', 'h.h': 'int a(void);\n#define N 3\n' }) });
  expect(units.map((unit) => [unit.path, unit.functions.filter((f) => f.body).map((f) => f.name)])).toEqual([['a.c', ['a']], ['b.c', ['b']]]);
  expect(read).toEqual(['a.c', 'h.h', 'b.c']);
  expect(warnings).toEqual([]);
});

test('a missing file is an error that names it', () => {
  expect(errorOf(() => readC(['no/such/file.c'])).message).toContain("cannot read 'no/such/file.c'");
  expect(errorOf(() => readCText('#include "gone.h"\nfoo x;')).diagnostics.map((d) => d.message)).toEqual(["cannot find the header 'gone.h'"]);
});

test('the errors of all files are told, at most twenty', () => {
  const readFile = files({ 'a.c': 'int x = y;', 'b.c': 'int f(void) { return g(); }' });
  expect(errorOf(() => readC(['a.c', 'b.c'], { readFile })).diagnostics.map((d) => `${d.span!.file.path} ${d.message}`)).toEqual(["a.c use of the undeclared identifier 'y'", "b.c call of the undeclared function 'g'"]);
  const { diagnostics } = errorOf(() => readCText(Array.from({ length: 30 }, (_, i) => `int x${i} = y${i};`).join('\n')));
  expect(diagnostics).toHaveLength(21);
  expect(diagnostics[20]!.message).toBe('and 10 more errors');
});

test('options reach the preprocessor and the types', () => {
  const text = '#if FLAG\nint x[N]; unsigned long y = sizeof(void *);\n#endif';
  const { units } = readCText(text, 'a.c', { define: { FLAG: true, N: 4 }, dataModel: 'ilp32' });
  expect(units[0]!.variables.map((v) => [v.name, v.type.kind === 'array' ? v.type.length : v.type.kind === 'integer' ? v.type.widthBits : 0])).toEqual([['x', 4], ['y', 32]]);
  expect(units[0]!.dataModel).toBe('ilp32');
});

test('a function of the C library is a unit of its own', () => {
  expect(readLibraryUnit('no_such_function')).toBeUndefined();
  for (const name of ['strlen', 'memcmp', 'strtol', 'qsort']) {
    if (!libraryUnitFor(name)) continue;
    for (const dataModel of ['lp64', 'ilp32'] as const) expect(readLibraryUnit(name, { dataModel, define: { size_t: 'nonsense' } })!.functions.some((f) => f.name === name && f.body !== undefined)).toBe(true);
  }
});

test('names for the host: typedefs, tags, constants of the file scope', () => {
  const [unit] = readCText('typedef struct node { int v; } node; enum color { RED = 2 }; union u; void f(void) { typedef int local; struct inner { int x; }; enum { HIDDEN }; }').units;
  expect([...unit!.typedefs.keys()]).toEqual(['node']);
  expect([...unit!.tags.keys()]).toEqual(['struct node', 'enum color', 'union u']);
  expect([...unit!.enumConstants]).toEqual([['RED', 2n]]);
});

test('a large file is read quickly', () => {
  const text = `typedef struct node { int v; struct node *next; int a[8]; } node;\n${Array.from({ length: 250 }, (_, i) => `static int f${i}(node *n, int k, unsigned u) {
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
}`).join('\n')}`;
  readCText(text);
  const before = performance.now();
  readCText(text);
  // 4,750 lines; 120 ms alone on a machine of 2024. The bound leaves room for a busy one.
  expect(performance.now() - before).toBeLessThan(3000);
});

test('whatever is read gives a result or a CError, never another failure', () => {
  const words = ['int', 'char', 'unsigned', 'struct s', 'struct s { int a; int b : 3; }', 'enum e { A, B }', 'typedef', 'T', 'x', 'y', 'f', '(', ')', '{', '}', '[', ']', ';', ';', ',', '*', '&', '=', '1', '0', '-1', '"s"', "'c'", 'if', 'else', 'while', 'for', 'return', 'switch', 'case', 'break', 'sizeof', 'static', 'const', 'void', '+', '++', '.a', '->b', '?', ':', '<<', '==', 'goto', 'x:', '__typeof__', '_Generic', '({', '})', 'int x', 'int f(void) {', 'A', 'extern', '...', '= {', '[1] ='];
  fc.assert(fc.property(fc.array(fc.constantFrom(...words), { maxLength: 50 }), (tokens) => {
    try {
      readCText(`typedef int T; int x, y, *p; struct s { int a; } s; int f(int); ${tokens.join(' ')}`);
    } catch (error) {
      expect(error).toBeInstanceOf(CError);
    }
  }), { numRuns: 5000 });
});
