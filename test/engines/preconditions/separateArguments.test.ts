/** Arguments that may be one object for all that is known, and the condition that says that they are not. */
import { verify } from '../../../src';
import { Budget } from '../../../src/budget';
import { separateArguments } from '../../../src/engines/preconditions/separateArguments';
import { Problem } from '../../../src/engines/problem';
import { argumentScope } from '../../../src/host/probeScope';
import { readCProbe } from '../../../src/host/cProbe';
import type { Operation } from '../../../src/host/operation';
import { loadProgram } from '../../../src/program';
import type { Task } from '../../../src/task';
import { isLong } from '../../long';
import { file, task } from '../task';

jest.setTimeout(240_000);

type Requires = NonNullable<Task['requires']>;

function stated(path: string, name: string, condition: string): Requires {
  const program = loadProgram([path], {});
  const scope = argumentScope(program, 'the module', program.functionByName.get(name)!);
  const probe = readCProbe(condition, scope, program.enumConstants);
  if (probe.kind === 'mistake') throw new Error(probe.message);
  return [{ function: name, formula: probe.formula, said: { c: condition } }];
}

/** For all checks of the text being open. */
async function offered(
  text: string,
  { said, runs = [] }: { readonly said?: string; readonly runs?: readonly (readonly Operation[])[] } = {},
): Promise<readonly string[]> {
  const path = file(text);
  const budget = Budget.start({ milliseconds: 60_000 });
  const requires = said === undefined ? [] : stated(path, 'mark', said);
  const problem = Problem.examine(task(path, { requires, runs }), budget, {});
  try {
    const open = new Set(problem.checks.map(({ check }) => check));
    const found = separateArguments(problem, problem.system, open, budget);
    return found.flatMap((one) => (one.kind === 'requires' ? [`${one.function}: ${one.text}`] : []));
  } finally {
    await problem.solvers.close();
  }
}

const mark = (parameters: string): string => `
int mark(${parameters}) { int n = 0; if (!a || !b) return 0; while (n < max && a[n]) { b[n] = 1; n++; } return n; }`;

test.each([
  ['characters and numbers', 'const char *a, int *b, int max'],
  ['bytes and numbers', 'const unsigned char *a, short *b, int max'],
])('%s may be one object', async (_, parameters) => {
  expect(await offered(mark(parameters))).toEqual(['mark: !PROVEST_SAME_OBJECT(a, b)']);
});

test.each([
  ['copies of bytes, which overlap on purpose', 'const char *a, char *b, int max'],
  ['types keep them apart', 'const short *a, int *b, int max'],
])('%s: nothing is offered', async (_, parameters) => {
  expect(await offered(mark(parameters))).toEqual([]);
});

test('two that are only read', async () => {
  expect(await offered('int sum(const char *a, const int *b) { return a && b ? a[0] + b[0] : 0; }')).toEqual([]);
});

test('a check that is not reached from a function says nothing of it', async () => {
  const apart = 'int copy(const char *a, int *b) { return a == 0 && b == 0; }\nint other(int x) { return 10 / x; }';
  expect(await offered(apart)).toEqual([]);
});

test('a test that passes one object as both speaks against it', async () => {
  const text = mark('const char *a, int *b, int max');
  const runOf = (second: number): readonly Operation[] => [
    { kind: 'allocate', type: 'int[1]', bytes: '01000000' },
    { kind: 'allocate', type: 'int[1]', bytes: '01000000' },
    {
      kind: 'call',
      function: 'mark',
      arguments: [{ allocation: 0, offset: 0 }, { allocation: second, offset: 0 }, { integer: '1' }],
      answers: [],
    },
  ];
  expect(await offered(text, { runs: [runOf(0)] })).toEqual([]);
  expect(await offered(text, { runs: [runOf(1)] })).toEqual(['mark: !PROVEST_SAME_OBJECT(a, b)']);
});

test('it is stated already', async () => {
  const text = mark('const char *a, int *b, int max');
  expect(await offered(text, { said: '!PROVEST_SAME_OBJECT(b, a)' })).toEqual([]);
});

test('an undecided answer offers it, and in the long form the module is proved with it', async () => {
  // It overwrites the 0 of the text, if they are one object.
  const text = mark('const char *a, int *b, int max').replace('b[n] = 1', 'b[n] = -1');
  const path = file(text);
  const ask = (condition: string, milliseconds: number) =>
    verify(task(path, { requires: stated(path, 'mark', condition), budget: { milliseconds } }));
  const lengths = 'PROVEST_TERMINATED(a) && PROVEST_LENGTH(b) >= max';
  const open = await ask(lengths, 6_000);
  expect(open.kind).toMatch(/unknown|potential-error/);
  const suggestion =
    open.kind === 'potential-error' ? open.errors[0]?.suggestion : open.kind === 'unknown' && open.reason.suggestion;
  expect(suggestion).toContain('--requires "mark: !PROVEST_SAME_OBJECT(a, b)"');
  if (isLong) expect((await ask(`${lengths} && !PROVEST_SAME_OBJECT(a, b)`, 200_000)).kind).toBe('proved');
});

test('it is offered beside what excuses a failure, where checks stay open under that', async () => {
  const text = mark('const char *a, int *b, int max').replace('b[n] = 1', 'b[n] = -1');
  const budget = { milliseconds: 60_000 };
  const verdict = await verify(task(file(text), { furtherChecks: 'briefly', budget }));
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  expect(verdict.suggestion).toMatch(
    /requires: \{ mark: '.*PROVEST_LENGTH\(b\) >= max && !PROVEST_SAME_OBJECT\(a, b\)' \}/,
  );
  expect(verdict.suggestion).toContain('or on the command line, beside those:\n--requires "mark: !PROVEST_SAME_OBJECT');
});
