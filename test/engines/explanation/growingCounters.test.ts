/** Advice where only the overflow of a counter is open. */
import { adviceOnGrowth } from '../../../src/engines/explanation/growingCounters';
import { loadProgram } from '../../../src/program';
import { type Check, propertyOf } from '../../../src/program/command';
import type { Task } from '../../../src/task';
import { file } from '../task';

const program = loadProgram([
  file(`static int total; static int last[4];
    void add(int by) { if (by > 0) total += by; last[by & 3] = total; }`),
]);
const checks = program.functions.flatMap(({ edges }) =>
  edges.flatMap(({ command }): Check[] => (command.kind === 'check' ? [command] : [])),
);
const overflows = checks.filter(({ check }) => propertyOf[check] === 'overflow');
const asked = (changes: Partial<Task> = {}): Pick<Task, 'properties' | 'askedIn' | 'mode'> => ({
  properties: ['reach', 'memsafety', 'overflow', 'div-by-zero'],
  mode: 'module',
  ...changes,
});

test('clients limit how often they call, or overflow is left out, in the form of who asks', () => {
  expect(overflows).toHaveLength(1);
  const advice = adviceOnGrowth(overflows, 3, asked({ askedIn: 'test' }));
  expect(advice).toMatch(/^all but overflow is proved: if total \+= by goes further with each call, limit how often/u);
  expect(advice).toContain("toBeVerified({ properties: ['reach', 'memsafety', 'div-by-zero'] })");
  expect(adviceOnGrowth(overflows, 3, asked({ askedIn: 'command' }))).toContain(
    '--property reach,memsafety,div-by-zero',
  );
});

test.each<[string, readonly Check[], number, Partial<Task>]>([
  ['another check is open, too', checks, 1, {}],
  ['no check is proved', overflows, 0, {}],
  ['no check is open', [], 3, {}],
  ['a program has no calls to limit', overflows, 3, { mode: 'program' }],
  ['nothing but overflow was asked for', overflows, 3, { properties: ['overflow'] }],
])('none where %s', (_, open, proved, changes) => {
  expect(adviceOnGrowth(open, proved, asked(changes))).toBeUndefined();
});

test.each([
  ['a local', 'int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }', undefined],
  [
    'a member',
    'struct tally { int n; }; void add(struct tally *t) { if (t) t->n++; }',
    expect.stringContaining('t->n++'),
  ],
])('a check of %s', (_, text, expected) => {
  const open = loadProgram([file(text)])
    .functions.flatMap(({ edges }) =>
      edges.flatMap(({ command }): Check[] => (command.kind === 'check' ? [command] : [])),
    )
    .filter(({ check }) => propertyOf[check] === 'overflow');
  expect(open.length).toBeGreaterThan(0);
  expect(adviceOnGrowth(open, 3, asked())).toEqual(expected);
});
