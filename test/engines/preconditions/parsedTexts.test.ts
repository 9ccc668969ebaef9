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
