/** Preconditions that are said outside the C mention the arguments as clients pass them. */
import { verify } from '../../../src';
import type { ProbeFormula, ProbePath } from '../../../src/abstraction/predicates/probeFormula';
import { compare, file, integer, task, variable } from '../task';

const member = (name: string, ...fields: readonly string[]): ProbePath => ({
  kind: 'path',
  variable: name,
  steps: fields.map((field) => ({ kind: 'field', name: field })),
});
const ask = (text: string, formula: ProbeFormula) =>
  verify(task(file(text), { requires: [{ function: 'get', formula }] }));
const positive = (of: ProbeFormula): ProbeFormula => compare('>', of, integer(0));

test.each([
  [
    'a parameter whose address is taken',
    'static void more(int *p) { if (*p < 9) (*p)++; }\n' +
      'int get(int x) { int y = 10 / x; more(&x); return y + 10 / x; }\n',
    positive(variable('x')),
  ],
  [
    'a structure passed by value',
    'struct pair { int x, y; };\nint get(struct pair s) { return 10 / s.x; }\n',
    positive(member('s', 'x')),
  ],
  [
    'a structure beside one that is returned',
    'struct pair { int x, y; };\nstruct pair get(int k, struct pair s) { s.y = 10 / s.x; return s; }\n',
    positive(member('s', 'x')),
  ],
  [
    'a variable that a local one hides later',
    'static int n = 1;\nvoid set(int k) { n = k; }\n' +
      'int get(int x) { { int n[2] = {0}; if (n[x & 1] == x) return 3; } { int n = 0; if (n == x) return 4; } ' +
      'return 10 / n; }\n',
    positive(variable('n')),
  ],
  [
    'a parameter that a local variable hides later',
    'int get(int x) { { int x[2] = {0}; if (x[1]) return 3; } return 10 / x; }\n',
    positive(variable('x')),
  ],
])('%s', async (_, text, formula) => {
  expect((await ask(text, formula)).kind).toBe('proved');
  expect((await verify(task(file(text)))).kind).toBe('bug');
});

test('what is local to the function is nothing that clients know', async () => {
  await expect(ask('int get(int x) { int y = x; return 10 / y; }\n', positive(variable('y')))).rejects.toThrow(
    /'y' is no variable of get or of the module/,
  );
});
