/** Texts of functions that stop at a character they do not expect, before the 0, and of those that cut them up. */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { UnterminatedStrings } from '../../../src/engines/preconditions/unterminatedStrings';
import { type Calls, withTrace } from '../angelic/failingTrace';
import { file, task } from '../task';

const found = (text: string, calls: Calls): Promise<readonly string[]> =>
  withTrace(text, calls, ({ problem, scenario, fault }) => {
    const texts = new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions());
    texts.look(scenario, fault);
    return texts.preconditions.filter(({ function: name }) => name === 'parse').map(({ text }) => text);
  });

const parser = (body: string): string => `
static int is_digit(char c) { return '0' <= c && c <= '9'; }
int parse(const char *s, int n) { int value = 0; ${body} return value; }`;
const number = parser("if (*s == '-') s++; while (is_digit(*s)) value = *s++ - '0';");

test.each([
  ['behind a digit', 48],
  ['behind a sign, which no second one follows', 45],
])('%s', async (_, character) => {
  const calls: Calls = ({ characters }) => [['parse', characters([character]), 1]];
  expect(await found(number, calls)).toEqual(['PROVEST_TERMINATED(s)']);
});

test('behind a sign, which a digit has to follow', async () => {
  const signed = parser("if (*s == '-') s++; if (!is_digit(*s)) return -1; while (is_digit(*s)) value = *s++ - '0';");
  const calls: Calls = ({ characters }) => [['parse', characters([45]), 1]];
  expect(await found(signed, calls)).toEqual(['PROVEST_TERMINATED(s)']);
});

const settings = (compare: string): string => `
#include <string.h>
static char kept[12];
void keep(const char *name) { if (name && strlen(name) < 12) strcpy(kept, name); }
int parse(const char *s, int n) { if (!s) return 0; ${compare} }`;

test.each([
  ['compared with a text that is kept', 'return strcmp(kept, s) == 0;', ['(s == NULL || PROVEST_TERMINATED(s))']],
  [
    'that has to be the kept one',
    'int *p = strcmp(kept, s) == 0 ? &n : NULL; return *p;',
    ['(s == NULL || PROVEST_TERMINATED(s))'],
  ],
  ['compared as far as its length', 'for (int i = 0; i <= n; i++) if (s[i] != kept[i]) return 0; return 1;', []],
])('a text %s', async (_, compare, expected) => {
  const calls: Calls = ({ characters }) => [
    ['keep', characters([65, 0])],
    ['parse', characters([65]), 1],
  ];
  expect(await found(settings(compare), calls)).toEqual(expected);
});

test('a call that compares with a text that is kept fails without a 0', () => {
  const failing = (compare: string): string | undefined => {
    const text = settings(compare).replace(
      'const char *name) {',
      'const char *name) { PROVEST_REQUIRES(PROVEST_TERMINATED(name));',
    );
    const problem = new Problem(
      task(file(`#include <provest.h>\n${text}`)),
      Budget.start({ milliseconds: 60_000 }),
      {},
    );
    const texts = new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions());
    return texts.failing()?.calls.at(-1)?.fn.name;
  };
  expect(failing('return strcmp(kept, s) == 0;')).toBe('parse');
  expect(failing('return strncmp(kept, s, 2) == 0;')).toBe(undefined);
});

test.each(['char', 'unsigned char'] as const)('a kept text of %s beyond ASCII is compared with others', (type) => {
  const problem = new Problem(
    task(
      file(`#include <provest.h>
#include <string.h>
static ${type} kept[12];
void keep(const ${type} *name) {
  PROVEST_REQUIRES(PROVEST_TERMINATED(name));
  if (strlen((const char *)name) < 12) strcpy((char *)kept, (const char *)name);
}
int same(const ${type} *s) {
  if (kept[0] != (${type})254 || !s) return 0;
  return strcmp((const char *)kept, (const char *)s) == 0;
}`),
    ),
    Budget.start({ milliseconds: 60_000 }),
    {},
  );
  const [keep] = problem.callable;
  const of = { kind: 'integer', name: type, widthBits: 8, signed: type === 'char' } as const;
  const contents = type === 'char' ? [-2, -3, 0] : [254, 253, 0];
  const name = { kind: 'object', type: { kind: 'array', of, length: 3 }, contents } as const;
  const texts = new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions());
  const client = { calls: [{ fn: keep!, arguments: [name] }], answers: [] };
  expect(texts.failing([client])?.calls.map(({ fn }) => fn.name)).toEqual(['keep', 'same']);
});

test('a function that gets the length and reads one character too many does not search for a 0', async () => {
  const counted = parser('for (int i = 0; i <= n && is_digit(s[i]); i++) value = s[i];');
  const calls: Calls = ({ characters }) => [['parse', characters([48]), 1]];
  expect(await found(counted, calls)).toEqual([]);
});

test.each([
  ['looks for the 0', 'while (*line) line++;', true],
  ['looks at no character', 'if (n > 0) fields[0] = line;', false],
])('a function with a table for what it finds in the text, which %s', (_, body, isFound) => {
  const split = `int split(char *line, char **fields, int n) { if (!line || !fields) return 0; ${body} return 1; }`;
  const problem = new Problem(task(file(split)), Budget.start({ milliseconds: 60_000 }), {});
  const texts = new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions());
  expect(texts.failing() !== undefined).toBe(isFound);
});
