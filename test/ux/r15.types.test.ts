/**
 * R15 and R4: `provest types` gives the module its type; where a C field is renamed, TypeScript finds what still uses
 * the old name.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { Project } from './project';
import { inLongForm } from '../long';

let user: Project;
beforeAll(() => {
  user = new Project({});
});
afterAll(() => user.remove());

const c =
  'struct pair { int left; int right; };\nstatic struct pair last;\nstatic int size;\n' +
  'int put(int left) {\n  last.left = left;\n  if (size < 100) size++;\n  return last.left;\n}\n';

/**
 * Messages of the compiler on this test, and on the declarations of this C beside it, in its strictest mood and without
 * Node's types.
 */
function check(text: string, test: string, place = 'use.ts'): string[] {
  user.write('pairs.c', text);
  user.write('pairs.d.ts', user.provest('types', 'pairs.c').stdout);
  user.write(place, test);
  const files = ['pairs.d.ts', place].map((name) => join(user.folder, name));
  const program = ts.createProgram(files, {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: [],
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const use =
  "import { loadC } from 'provest';\nconst pairs = loadC('./pairs.c');\npairs.put(1);\n" +
  'export const n: number = pairs.global.last.left + pairs.global.size;\n' +
  "pairs.probe('small', (s) => s.last.left < 10);\n";

inLongForm('R15 a renamed field is an error in the test and in the probe; what is right is none', () => {
  expect(check(c, use)).toEqual([]);
  const renamed = check(c.replace(/\bint left; /, 'int first; ').replace(/last\.left/g, 'last.first'), use);
  expect(renamed).toHaveLength(2);
  for (const message of renamed) expect(message).toContain("Property 'left' does not exist");
  expect(check(c, use.replace('pairs.put(1)', "pairs.put('x', 2)"))).toHaveLength(1);
});

test('R15 the types are those of arguments and variables, wherever the test lies, whatever names the C has', () => {
  const things = `enum colour { RED, GREEN = 5 };
struct record { int value; struct record *next; enum colour colour; char name[8]; int (*seen)(int);
  union { int i; float f; } u; };
struct record last; unsigned long total;
int read(struct record *r) { return r ? r->value : 0; }
int crc(const unsigned char *data, unsigned long length) { return length ? data[0] : 0; }
int sum(const int *values, int n) { return n ? values[0] : 0; }
int keep(struct record r, void *p) { last = r; return p != 0; }
unsigned long grow(unsigned long by) { return total += by; }
`;
  const calls = `import { loadC, type Pointer } from 'provest';
const pairs = loadC('../pairs.c');
pairs.crc(new Uint8Array([1, 2]), 2);
pairs.sum(new Int32Array([1, 2]), 2);
const next = { value: 4, name: 'abc' };
pairs.keep({ value: 3, next, colour: 'GREEN', seen: (n: number) => n, u: { i: 3 } }, new Uint16Array(2));
pairs.global.last = { value: 1, colour: 'RED' };
pairs.global.total = 3;
const total: bigint = pairs.grow(pairs.global.total);
const p: Pointer = pairs.alloc('int', 1);
pairs.$read(p);
pairs.probe('followed', (s) => s.last.next.value === 2 && s.total < 3);
const other = loadC('./other.c');
other.f(other.g(1), total);
`;
  expect(check(things, calls, 'test/use.ts')).toEqual([]);
  expect(check(things, calls.replace("'GREEN'", "'BLUE'"), 'test/use.ts')).toEqual([expect.stringContaining('BLUE')]);
  // And so does what runs.
  user.write(
    'test/use.test.js',
    `const { loadC } = require('provest');\n${calls
      .slice(calls.indexOf('const pairs'), calls.indexOf('const other'))
      .replace(/: (bigint|Pointer|number)\b/g, '')}test('ran', () => { expect(pairs.global.total).toBe(6n); });\n`,
  );
  expect(user.jest({ args: ['test/use.test.js'] })).toMatchObject({ status: 0 });
});
