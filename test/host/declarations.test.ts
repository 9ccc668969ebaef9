/** The declarations of a module are TypeScript that says what may be given and what comes back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { declarations } from '../../src/host/declarations';
import { loadProgram } from '../../src/program';

// Loaded by json-schema-to-typescript, never used here, and full of dynamic imports that a test file cannot do.
jest.mock('prettier', () => ({}));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-types-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function check(text: string): Promise<string> {
  const file = join(folder, 'shape-list.c');
  writeFileSync(file, text);
  return declarations(loadProgram([file]));
}

const shapes = `
  typedef struct { int x, y; } point;
  enum kind { CIRCLE, SQUARE = 7 };
  struct shape { enum kind kind; point at; long id; struct shape *next; char name[8]; };
  struct shape *first; const unsigned limit = 4; static _Bool ready;
  int add(struct shape *new, const char *name, point at, _Bool hidden) { ready = 1;
    return new && name && at.x && hidden; }
  long total(const int *values, int n) { return n ? values[0] : 0; }
  point origin(void) { point p = { 0, 0 }; return p; }
  void reset(void) {}
  int apply(int (*f)(int)) { return f != 0; }`;

test('functions, variables, constants, structs', async () => {
  const text = await check(shapes);
  for (const line of [
    "export interface ShapeListModule extends Omit<ModuleApi, 'global' | 'constants' | 'probe' | 'reset'>, DollarApi {",
    'add(new_: Pointer | ShapeGiven | readonly ShapeGiven[] | null, name: Pointer | string | readonly number[] ' +
      '| TypedArray | null, at: PointGiven, hidden: boolean | 0 | 1): number;',
    'total(values: Pointer | readonly (number | bigint)[] | TypedArray | null, n: number | bigint): bigint;',
    "  kind?: 'CIRCLE' | 'SQUARE' | number;",
    '  next?: Pointer | ShapeGiven | readonly ShapeGiven[] | null;',
    '  name?: string | readonly number[] | TypedArray;',
    'origin(): Point;',
    'readonly limit: number;',
    'get first(): Pointer | null; set first(value: Pointer | ShapeGiven | readonly ShapeGiven[] | null);',
    'readonly SQUARE: 7;',
    'name: number[]',
    "'shape-list.c': ShapeListModule;",
    '[path: `${string}/shape-list.c`]: ShapeListModule;',
  ])
    expect(text).toContain(line);
});

test('tests that use them type-check, and do not when C has changed', async () => {
  writeFileSync(join(folder, 'shapes.d.ts'), await check(shapes));
  writeFileSync(
    join(folder, 'provest.d.ts'),
    `declare module 'provest' {
    export interface Pointer { read(): unknown }
    export interface ProbeOptions { readonly in?: string }
    export type ProbeState<T> = T;
    export interface ModuleApi { readonly global: object; readonly constants: object; reset(): void }
    export interface DollarApi { $reset(): void }
    export type TypedArray = Uint8Array;
    export type VariableArgument = unknown;
    export interface CModules {}
    export function loadC<P extends string>(path: P): P extends keyof CModules ? CModules[P] : ModuleApi;
  }`,
  );
  const lines = [
    "const n: number = m.add({ at: { x: 1, y: 2 } }, 'a', { x: 1 }, true); const p: number = m.origin().x; " +
      "const s: 7 = m.constants.SQUARE; m.global.first = null; m.probe('p', 'limit > 0'); void [n, p, s];",
    "m.add({ hight: 1 }, 'a', {}, true);",
    'm.origin().z;',
    'm.global.limit = 5;',
  ];
  const files = lines.map((line, i) => {
    writeFileSync(
      join(folder, `use${i}.ts`),
      `import { loadC } from 'provest';\nconst m = loadC('./shape-list.c');\n${line}\n`,
    );
    return join(folder, `use${i}.ts`);
  });
  const program = ts.createProgram([...files, join(folder, 'shapes.d.ts'), join(folder, 'provest.d.ts')], {
    noEmit: true,
    strict: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    target: ts.ScriptTarget.ES2022,
  });
  const errors = files.map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n')),
  );
  expect(errors).toEqual([
    [],
    [expect.stringContaining("'hight' does not exist")],
    [expect.stringContaining("Property 'z' does not exist")],
    [expect.stringContaining('read-only')],
  ]);
});
