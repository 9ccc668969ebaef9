/** Library functions told apart by call: which are copied, and that the program computes the same. */
import * as fc from 'fast-check';
import { verify } from '../../../src';
import { readCText, readLibraryUnit } from '../../../src/c';
import { readCProbe } from '../../../src/host/cProbe';
import { argumentScope } from '../../../src/host/probeScope';
import { loadProgram, lower, type Program } from '../../../src/program';
import { defaultProperties } from '../../../src/program/command';
import { file, task } from '../../engines/task';
import { resultsOf } from './callsOf';

jest.setTimeout(300_000);

const loaded = (text: string, copiesAllBut?: readonly string[]): Program =>
  lower(readCText(`#include <string.h>\n#include <stdlib.h>\n${text}`, 'test.c').units, {
    dataModel: 'lp64',
    externals: 'any',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
    ...(copiesAllBut && { copiesAllBut: new Set(copiesAllBut) }),
  });

const copies = (text: string): readonly string[] =>
  loaded(text, []).functions.flatMap(({ name, copyOf }) => (copyOf ? [`${copyOf.name} as ${name}`] : []));

test('the first call keeps the function, and others get copies', () => {
  expect(
    copies('size_t f(const char *a, const char *b) { return strlen(a) + (strchr(b, 47) ? strlen(b) : strlen(a)); }'),
  ).toEqual(['strlen as strlen#2', 'strlen as strlen#3']);
});

test.each([
  ['one call', 'size_t f(const char *a) { return strlen(a); }'],
  [
    'functions of the program',
    'static int g(int n) { while (n > 9) n /= 2; return n; } int f(int n) { return g(n) + g(2); }',
  ],
  ['functions without a loop', 'int f(int a, int b) { return abs(a) + abs(b); }'],
])('no copies of %s', (_, text) => {
  expect(copies(text)).toEqual([]);
});

test('what copies call is copied, too', () => {
  const text =
    'int f(const char *a, const char *b, const char *c) { return (strstr(a, b) != 0) + (strstr(b, c) != 0); }';
  const names = copies(text);
  expect(names[0]).toBe('strstr as strstr#2');
});

test('functions that something speaks of stay the only ones', () => {
  const program = loaded('size_t f(const char *a) { return strlen(a) + strlen(a + 1); }', ['strlen']);
  expect(program.functions.some(({ copyOf }) => copyOf)).toBe(false);
});

test('copies are limited in number', () => {
  const many = copies(
    `size_t f(const char *a) { return ${Array.from({ length: 40 }, () => 'strlen(a)').join(' + ')}; }`,
  );
  expect(many.length).toBeGreaterThan(3);
  expect(many.length).toBeLessThan(39);
});

const functions = `
  static char name[6], text[10]; static char *heap;
  int set(int n, int c) { if (n < 0) return -1; memcpy(name, text, n); if (n < 6) name[n] = c; return n; }
  int type(int n, int c) { char *p = text; if (n > 0 && n < 12) p[n] = c; p[0] = c; return (int)strlen(p); }
  int keep(int n, int c) { free(heap); heap = malloc(8); if (!heap) return 0; memcpy(heap, text, n); return heap[c]; }
  int find(int n, int c) { char *p = n ? text : name; char *q = strchr(p, c); return q ? (int)strlen(q) : -1; }
  int last(int n, int c) { char *q = strrchr(n ? name : text, c); return q ? (int)(q - (n ? name : text)) : -1; }
  int passed(int n, int c) { char a[4], b[4]; if (c) a[0] = n; memcpy(b, a, c); return c ? b[0] : (int)strlen(name); }
  int raw(int n, int c) { char a[4], b[4]; a[0] = 1; memcpy(b, a, c); return b[n]; }
  int over(int n, int c) { memcpy(text + n, text, c); return text[n]; }`;

test('both programs compute the same, and fail at the same checks', () => {
  const programs = [loaded(functions), loaded(functions, [])];
  expect(programs[1]!.functions.some(({ copyOf }) => copyOf)).toBe(true);
  const names = ['set', 'type', 'keep', 'find', 'last', 'passed', 'raw', 'over'] as const;
  const met = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: -1, max: 8 }), fc.integer({ min: -1, max: 8 })), {
        maxLength: 12,
      }),
      (calls) => {
        const properties = new Set(['memsafety', 'uninitialised'] as const);
        const [before, after] = programs.map((program) =>
          resultsOf(program, calls, (check) => met.add(check), { properties }),
        );
        expect(after).toEqual(before);
      },
    ),
    { numRuns: 600 },
  );
  expect([...met].sort()).toEqual(expect.arrayContaining(['dereference', 'overlapping-copy', 'uninitialised-read']));
});

/** The module's verdict, if clients pass texts to `set`. */
async function verdictOf(text: string): Promise<string> {
  const path = file(`#include <string.h>\n${text}`);
  const program = loadProgram([path], {});
  const scope = argumentScope(program, path, program.functionByName.get('set')!);
  const read = readCProbe('line == NULL || PROVEST_TERMINATED(line)', scope, program.enumConstants);
  if (read.kind === 'mistake') throw new Error(read.message);
  const requires = [{ function: 'set', formula: read.formula }];
  return (await verify(task(path, { requires, budget: { milliseconds: 200_000 } }))).kind;
}

const kept = (most: string): string => `
  static char current[24];
  void set(const char *line) {
    if (line == NULL) return;
    size_t n = strlen(line);
    if (n >= sizeof current) n = ${most};
    memcpy(current, line, n);
    current[n] = 0;
  }
  size_t get(void) { return strlen(current); }`;

test('what is copied from a client ends where the module ends it', async () => {
  expect(await verdictOf(kept('sizeof current - 1'))).toBe('proved');
});

test('a copy that is one too long is found', async () => {
  expect(await verdictOf(kept('sizeof current'))).toBe('bug');
});

const found = (offset: number): string => `
  size_t set(const char *line) {
    if (line == NULL) return 0;
    const char *equals = strchr(line, '=');
    return equals ? strlen(equals + ${offset}) : 0;
  }`;

test('what follows a character that was found in a text is a text', async () => {
  expect(await verdictOf(found(1))).toBe('proved');
});

test('what follows two characters further on may not be', async () => {
  expect(await verdictOf(found(2))).toBe('bug');
});

const overlapping = `
  static char a[4];
  int set(unsigned n) {
    if (n > 3) return 0;
    a[0] = 1; a[1] = 2; a[2] = 3; a[3] = 4;
    memcpy(a + 1, a, n);
    assert(a[2] != 2);
    return 0;
  }`;

test.each([
  ['are not asked for', ['reach'] as const, overlapping],
  [
    'are excluded',
    defaultProperties,
    overlapping.replace('a, n);', 'a, n); // provest-suppress overlapping-copy: tried'),
  ],
])('a copy that overlaps moves the bytes where such copies %s', async (_, properties, text) => {
  const path = file(`#include <string.h>\n#include <assert.h>\n${text}`);
  expect((await verify(task(path, { properties }))).kind).toBe('bug');
});

test('a loop that copies beside elements at known places ends in an answer', async () => {
  const path = file(`#include <string.h>
    #include <assert.h>
    static char own[8], src[8];
    void put(unsigned n) { if (n > 1) return; own[0] = 7; memcpy(own + 1, src, n); assert(own[0] == 7); }`);
  expect((await verify(task(path))).kind).toBe('proved');
});
