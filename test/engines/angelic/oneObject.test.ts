/** Two pointers into one object: stated by a precondition, and offered where a comparison of them fails. */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import type { ProbeFormula } from '../../../src/abstraction/predicates/probeFormula';
import { readCProbe } from '../../../src/host/cProbe';
import { argumentScope } from '../../../src/host/probeScope';
import { ifLong, inLongForm } from '../../long';
import { programOf } from '../../program/programOf';
import { file, task } from '../task';
import { errors, specifications } from './lists';

jest.setTimeout(300_000);

const ask = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(task(file(text), { budget: { milliseconds: 120_000 }, ...change }));

function stated(text: string, condition: string): NonNullable<Task['requires']> {
  const program = programOf(text);
  const scope = argumentScope(program, 'module.c', program.functionByName.get('f')!);
  const { formula } = readCProbe(condition, scope, program.enumConstants) as { readonly formula: ProbeFormula };
  return [{ function: 'f', formula, said: { c: condition } }];
}

const same = 'PROVEST_SAME_OBJECT(p, q)';

test.each<readonly [what: string, text: string, condition: string, expected: Verdict['kind']]>([
  ['the end is no element', 'int f(int *p, int *q) { return *q; }', same, 'bug'],
  ['a difference', 'int f(int *p, int *q) { return (int)(q - p); }', same, 'proved'],
  ...ifLong<readonly [string, string, string, Verdict['kind']]>(
    [
      'behind the end of what the module has handed out',
      'static int buf[4]; int *get(void) { return buf; }\n' +
        'int f(const int *p, const int *q) { return p == buf ? buf[q - p] : 0; }',
      'p <= q',
      'potential-error',
    ],
    [
      'elements are one memory',
      '#include <assert.h>\nvoid f(int *p, int *q) { p[1] = 1; *q = 2; assert(p[1] == 1); }',
      `${same} && PROVEST_LENGTH(p) >= 2 && PROVEST_LENGTH(q) >= 1`,
      'bug',
    ],
    [
      'members of different elements are not',
      '#include <assert.h>\nstruct s { short a, b; };\n' +
        'void f(struct s *p, struct s *q) { p->a = 1; q->b = 2; assert(p->a == 1); }',
      `${same} && PROVEST_LENGTH(p) >= 1 && PROVEST_LENGTH(q) >= 1`,
      'proved',
    ],
    ['in any order', '#include <assert.h>\nvoid f(int *p, int *q) { assert(q - p >= 0); }', same, 'bug'],
    ['in order', '#include <assert.h>\nvoid f(int *p, int *q) { assert(q - p >= 0); }', 'p <= q', 'proved'],
    [
      'as far apart as said',
      'int f(char *p, char *q) { return q - p > 9 ? 1 : p[4]; }',
      `${same} && q - p >= 4`,
      'bug',
    ],
    ['no further', 'int f(char *p, char *q) { return q - p > 9 ? 1 : p[3]; }', `${same} && q - p >= 4`, 'proved'],
    [
      'a walk to the end',
      'int f(int *p, int *q) { int s = 0; while (p != q) s ^= *p++; return s; }',
      'p <= q',
      'proved',
    ],
    ['a walk past it', 'int f(int *p, int *q) { int s = 0; while (p != q) s ^= *p++; return s; }', same, 'bug'],
  ),
])('%s', async (_, text, condition, expected) => {
  expect(await ask(text, { requires: stated(text, condition) })).toMatchObject({ kind: expected });
});

test.each([
  ['of a choice that is not taken need not be', '(c ? p - q : 0) == 0', 'bug'],
  ['of a choice that is taken are', '(c ? 0 : p - q) == 0', 'proved'],
  ['of either choice are where it is taken', '(c ? 1 : p - q) == (c ? p - q + 1 : 0)', 'proved'],
] as const)('the pointers of a difference %s in one object', async (_, condition, expected) => {
  const text =
    '#include <assert.h>\nstatic int a[4], b[4]; static int *p = a, *q = a;\nvoid move(void) { q = b; }\n' +
    'void f(int c) { if (c == 0) assert(q == a); }';
  expect(await ask(text, { requires: stated(text, condition) })).toMatchObject({ kind: expected });
});

test('calls that are not needed are left out', async () => {
  const text =
    'static const char *limit;\nvoid f(const char *p, const char *q) { limit = q; }\n' +
    'int last(void) { return limit ? limit[-1] : 0; }';
  const verdict = await ask(text, { requires: stated(text, 'p <= q') });
  expect(verdict).toMatchObject({ kind: 'bug' });
  const { counterexample } = verdict as Extract<Verdict, { kind: 'bug' }>;
  expect(counterexample.steps.flatMap((step) => (step.kind === 'call' ? [step.function] : []))).toEqual(['f', 'last']);
});

test('a failing test names the element', async () => {
  const text = 'int f(int *p, int *q) { return *q; }';
  const verdict = await ask(text, { requires: stated(text, `${same} && PROVEST_LENGTH(p) >= 1`) });
  expect(verdict).toMatchObject({ counterexample: { test: expect.stringContaining('f(p, p.at(1))') as string } });
});

const sum = (order: '<' | '<='): string =>
  `int sum(const char *p, const char *end) { int s = 0; while (p ${order} end) s ^= *p++; return s; }`;

const whole: Partial<Task> = { angelic: true, furtherChecks: 'to the end', budget: { milliseconds: 40_000 } };

inLongForm('an error behind a comparison is found, and the comparison excused', async () => {
  const verdict = await ask(sum('<='), whole);
  expect(errors(verdict)).toEqual([expect.stringContaining('sum: out of bounds')]);
  expect(specifications(verdict)).toContain('sum: PROVEST_SAME_OBJECT(p, end)');
});

inLongForm('where there is none, the module is proved if clients keep to it', async () => {
  const verdict = await ask(sum('<'), whole);
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toEqual(['sum: PROVEST_SAME_OBJECT(p, end)']);
  expect(verdict.kind).toBe('conditional');
});
