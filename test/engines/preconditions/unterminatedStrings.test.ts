/**
 * A failure that hangs on characters that do not end in 0: the promise that rules it out is said with it, and given, it
 * helps.
 */
import { verify, type Verdict } from '../../../src';
import { readCProbe } from '../../../src/host/cProbe';
import { argumentScope } from '../../../src/host/probeScope';
import { loadProgram } from '../../../src/program';
import { ScenarioRunner } from '../../../src/evidence/scenarios/scenario';
import { UnterminatedStrings } from '../../../src/engines/preconditions/unterminatedStrings';
import { file, task } from '../task';
import { inLongForm } from '../../long';

function ask(text: string, promises: Readonly<Record<string, string>> = {}): Promise<Verdict> {
  const path = file(text);
  const program = loadProgram([path], {});
  const requires = Object.entries(promises).map(([name, promise]) => {
    const read = readCProbe(
      promise,
      argumentScope(program, 'm.c', program.functionByName.get(name)!),
      program.enumConstants,
    );
    if (read.kind === 'mistake') throw new Error(read.message);
    return { function: name, formula: read.formula };
  });
  return verify(task(path, { requires, budget: { milliseconds: 240_000 } }));
}
const offered = (verdict: Verdict): readonly string[] =>
  verdict.kind === 'bug'
    ? (verdict.suggestion?.split('\n') ?? []).filter((line) => /^requires: .*PROVEST_TERMINATED/.test(line))
    : [`${verdict.kind}, not a bug`];

inLongForm('a text, or null where the function expects it', async () => {
  const length = 'unsigned length(const char *s) { if (!s) return 0; unsigned n = 0; while (*s++) n++; return n; }';
  expect(offered(await ask(length))).toEqual(["requires: { length: '(s == NULL || PROVEST_TERMINATED(s))' }"]);
  expect((await ask(length, { length: '(s == NULL || PROVEST_TERMINATED(s))' })).kind).toBe('proved');
});

inLongForm('not null where it fails', async () => {
  const length = 'unsigned length(const char *s) { unsigned n = 0; while (s[n]) n++; return n; }';
  expect(offered(await ask(length))).toEqual(["requires: { length: 'PROVEST_TERMINATED(s)' }"]);
  expect(offered(await ask(length, { length: 's != 0' }))).toEqual(["requires: { length: 'PROVEST_TERMINATED(s)' }"]);
  expect(
    (await ask(`#include <provest.h>\n${length.replace('{', '{ PROVEST_REQUIRES(PROVEST_TERMINATED(s));')}`)).kind,
  ).toBe('proved');
});

inLongForm('all texts of a module at once, and what is no text is left out', async () => {
  const functions = `
    int starts(const char *a, const char *b) { if (!a || !b) return 0; while (*b) if (*a++ != *b++) return 0;
      return 1; }
    int same(const char *a, const char *b) { while (*a && *a == *b) { a++; b++; } return *a == *b; }
    int first(const char *a, const char *one) { if (!a || !one) return 0; while (*a && *a != *one) a++; return *a; }`;
  const promises = {
    starts: '(a == NULL || PROVEST_TERMINATED(a)) && (b == NULL || PROVEST_TERMINATED(b))',
    same: 'PROVEST_TERMINATED(a) && PROVEST_TERMINATED(b)',
    first: '(a == NULL || PROVEST_TERMINATED(a))',
  };
  const [said = ''] = offered(await ask(functions));
  for (const [name, promise] of Object.entries(promises)) expect(said).toContain(`${name}: '${promise}'`);
  expect((await ask(functions, promises)).kind).toBe('proved');
});

test('what is copied from a text is no number that a function takes for granted', async () => {
  const verdict = await ask('void copy(char *to, const char *from) { if (from) while ((*to++ = *from++)) ; }');
  expect(verdict.kind === 'bug' && verdict.suggestion).toContain(
    "requires: { copy: 'to != NULL && (from == NULL || PROVEST_TERMINATED(from))' }",
  );
});

test('what fails with a text, too, or takes bytes to another end, needs something else', async () => {
  expect(offered(await ask('int third(const char *s) { return s ? s[2] : 0; }'))).toEqual([]);
  expect(
    offered(await ask('int bytes(const unsigned char *s) { int n = 0; if (s) while (*s++ != 255) n++; return n; }')),
  ).toEqual([]);
});

test('characters without a sign are a text where a 0 ends them, beside other ends', async () => {
  const sum =
    'unsigned char sum(const unsigned char *line) { unsigned char all = 0; ' +
    "while (*line && *line != '\\n' && *line != '*') all ^= *line++; return all; }";
  expect(offered(await ask(sum))).toEqual(["requires: { sum: 'PROVEST_TERMINATED(line)' }"]);
});

test('where the module itself does not read the text, the C says it', async () => {
  const report = (promise: string): string =>
    '#include <stdio.h>\n#include <provest.h>\nstatic char line[64];\n' +
    `void report(const char *word) { ${promise} if (word) sprintf(line, "%.40s", word); }`;
  const promise = 'PROVEST_REQUIRES((word == NULL || PROVEST_TERMINATED(word)));';
  const verdict = await ask(report(''));
  expect(verdict.kind === 'bug' && verdict.suggestion).toMatch(/say so in the C, [^]*\nreport: PROVEST_REQUIRES/);
  expect(verdict.kind === 'bug' && verdict.suggestion).toContain(promise);
  expect((await ask(report(promise))).kind).toBe('unknown');
});

test('where a text will do, clients do not have to keep to a length', async () => {
  const verdict = await ask(
    'static char word[16];\nvoid read(const char *line) { unsigned n = 0; ' +
      'while (n < sizeof word && *line) word[n++] = *line++; }',
  );
  expect(verdict.kind === 'bug' && verdict.suggestion).toContain("requires: { read: 'PROVEST_TERMINATED(line)' }");
});

/** The preconditions of a parser, and whether a call was found that needs one. */
function triedOn(loop: string, before = ''): readonly string[] {
  const text = `${before}\nint parse(const char *s, int *to) { if (!s || !to) return -1; *to = 0; ${loop} return 0; }`;
  const program = loadProgram([file(text)], {});
  const options = { checkedProperties: new Set(['memsafety' as const]), permits: () => true, stepLimit: 10_000 };
  const strings = new UnterminatedStrings(program, [program.functionByName.get('parse')!], options);
  return strings.failing() ? strings.preconditions.map((found) => found.text) : ['none'];
}

test('a parser that goes on only at a digit, or at a character that it mentions', () => {
  expect(triedOn(`for (; *s >= '0' && *s <= '9'; s++) *to = *s - '0';`)).toEqual([
    '(s == NULL || PROVEST_TERMINATED(s))',
  ]);
  expect(triedOn(`while (*s == '~') s++;`)).toEqual(['(s == NULL || PROVEST_TERMINATED(s))']);
});

test('a text that is compared with those in a table, of which no letter is tried', () => {
  const table = `static struct { const char *name; int value; } options[] = {{"volume", 5}, {"mode", 1}};`;
  const loop = 'for (int i = 0; i < 2; i++) if (!strcmp(options[i].name, s)) *to = options[i].value;';
  expect(triedOn(loop, `#include <string.h>\n${table}`)).toEqual(['(s == NULL || PROVEST_TERMINATED(s))']);
  expect(
    triedOn(
      loop.replace('strcmp(options[i].name, s)', 'memcmp(options[i].name, s, 4)'),
      `#include <string.h>\n${table}`,
    ),
  ).toEqual(['none']);
});

test('none of a parser that looks at a single character', () => {
  expect(triedOn(`if (*s >= '0' && *s <= '9') *to = *s - '0';`)).toEqual(['none']);
});

const settings = (test: string): string => `
  #include <string.h>
  static char key[16], value[16];
  int set(const char *line) {
    if (!line) return 0;
    const char *end = strchr(line, '=');
    if (!end || end - line > 15 || strlen(end + 1) > 15) return 0;
    memcpy(key, line, end - line);
    key[end - line] = 0;
    strcpy(value, end + 1);
    return 1;
  }
  const char *get(const char *name) { return name && key[0] && ${test} ? value : 0; }`;

test.each([
  ['strcmp(key, name) == 0', ['set', 'get']],
  ['key[0] == name[0]', undefined],
])('a text that is compared with one that the module keeps: %s', (comparison, calls) => {
  const program = loadProgram([file(settings(comparison))], {});
  const [set, get] = ['set', 'get'].map((name) => program.functionByName.get(name)!);
  const { ctype } = set!.parameters[0]!;
  const character = ctype?.kind === 'pointer' ? { ...ctype.to, const: false } : undefined;
  const contents = [...'ab=c'].map((one) => one.charCodeAt(0));
  const type = { kind: 'array', of: character!, length: 5 } as const;
  const line = { kind: 'object', type, contents: [...contents, 0] } as const;
  const options = { checkedProperties: new Set(['memsafety' as const]), permits: () => true, stepLimit: 10_000 };
  const strings = new UnterminatedStrings(program, [get!], options);
  const failing = strings.failing([{ calls: [{ fn: set!, arguments: [line] }], answers: [] }]);
  expect(failing?.calls.map(({ fn }) => fn.name)).toEqual(calls);
  if (failing) expect(strings.preconditions).toMatchObject([{ text: '(name == NULL || PROVEST_TERMINATED(name))' }]);
});

test('a text that the module keeps and reads in a later call', () => {
  const program = loadProgram(
    [
      file(`static const char *text;
        void start(const char *s) { text = s; }
        int length(void) { int n = 0; if (text) while (text[n] != '\\0') n++; return n; }`),
    ],
    {},
  );
  const [start, length] = ['start', 'length'].map((name) => program.functionByName.get(name)!);
  const { ctype } = start!.parameters[0]!;
  const character = ctype?.kind === 'pointer' ? { ...ctype.to, const: false } : undefined;
  const type = { kind: 'array', of: character!, length: 2 } as const;
  const client = {
    calls: [
      { fn: start!, arguments: [{ kind: 'object', type, contents: [65, 0] } as const] },
      { fn: length!, arguments: [] },
    ],
    answers: [],
  };
  const options = { checkedProperties: new Set(['memsafety' as const]), permits: () => true, stepLimit: 10_000 };
  const strings = new UnterminatedStrings(program, [start!, length!], options);
  const failing = strings.failing([client]);
  expect(failing?.calls.map(({ fn }) => fn.name)).toEqual(['start', 'length']);
  const expected = [{ function: 'start', text: '(s == NULL || PROVEST_TERMINATED(s))' }];
  expect(strings.preconditions).toMatchObject(expected);
  const explaining = new UnterminatedStrings(program, [start!, length!], options);
  const { outcome } = new ScenarioRunner(program, options).run(failing!, { stepLimit: 10_000 })!;
  if (outcome.kind !== 'fault') throw new Error(outcome.kind);
  explaining.look(failing!, outcome.fault);
  expect(explaining.preconditions).toMatchObject(expected);
});
