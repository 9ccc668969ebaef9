/** The stubs that the linker suggests are JavaScript, and TypeScript that compiles, and that does as a stub at once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { loadC, type AnyModule } from '../../plugin';
import { CError } from '../../src/c';
import { loadProgram } from '../../src/program';
import { inLongForm } from '../long';

const root = join(__dirname, '..', '..');
const text = `
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
struct point { int x; double y; bool on; char name[8]; short grid[2][2]; struct { int deep; } inner;
  struct point *next; };
enum color { RED };
typedef int (*compare)(const void *, const void *);
int plain(int port); uint64_t now(void); void act(void); bool ready(float level); const char *label(enum color c);
enum color paint(unsigned char *pixels, size_t count);
struct point move(struct point from, struct point *to); void each(compare order, void *context);
int report(const char *format, ...); compare choose(int class, int new, int);
int (*table(void))[3]; double half(long double x); void fill(char out[static 4], int n[]);
int f(void) {
  struct point p = { 0 }; unsigned char pixel = 0; char out[4]; int n[1];
  act(); each(0, 0); fill(out, n); p = move(p, &p);
  return plain(1) + (int)now() + ready(1) + (label(RED) != 0) + paint(&pixel, 1) + report("%d", 3) +
      (choose(1, 2, 3) != 0) + (table() != 0) + (int)half(2) + p.x;
}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-skeleton-'));
  writeFileSync(join(folder, 'm.c'), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

function suggested(): string[] {
  try {
    loadProgram([join(folder, 'm.c')]);
    return [];
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    return error.diagnostics.map(
      ({ hint }) => /stubs: \{ (.*) \}, or let it/.exec(hint ?? '')?.[1] ?? `no suggestion: ${hint}`,
    );
  }
}

inLongForm('for every kind of signature', () => {
  const stubs = suggested();
  expect(stubs).toHaveLength(13);
  expect(stubs).toContain('report: (format /* Pointer | null */, ...rest) => 0');
  const file = join(folder, 'test', 'm.test.ts');
  mkdirSync(join(folder, 'test'));
  writeFileSync(
    file,
    `import { loadC, type Pointer } from '${join(root, 'plugin')}';\n` +
      `loadC('./m.c', { stubs: {\n${stubs.map((stub) => `  ${stub},\n`).join('')}} });\nexport type P = Pointer;\n`,
  );
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    esModuleInterop: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    ignoreDeprecations: '6.0',
    types: ['node', 'jest'],
    typeRoots: [join(root, 'node_modules', '@types')],
  });
  const problems = [
    ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
    ...program.getSemanticDiagnostics(program.getSourceFile(file)),
  ];
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  const source = ts.transpile(`({\n${stubs.map((stub) => `  ${stub},\n`).join('')}})`, {
    target: ts.ScriptTarget.ES2022,
  });
  // The suggestions as they are answer with values that C takes.
  const module = loadC<AnyModule>(join(folder, 'm.c'), {
    stubs: new Function(`return ${source.replace(/^['"]use strict['"];\s*/, '')}`)() as Record<string, () => unknown>,
  });
  expect(module.f!()).toBe(0);
});
