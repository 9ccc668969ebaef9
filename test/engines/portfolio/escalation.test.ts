/**
 * Potential errors of test-based abstraction that refinement turns into a proof or a bug, with the same tests and
 * probes. Each is shown to be a potential error without it.
 */
import { verify } from '../../../src';
import type { Task } from '../../../src/task';
import type { Verdict } from '../../../src/verdict';
import { compare, file, fixture, integer, run, task, variable } from '../task';

jest.setTimeout(300_000);

const probesOnly = { predicates: 'probes' } as const;
const both = async (path: string, changes: Partial<Task>): Promise<readonly [Verdict, Verdict]> => [
  await verify(task(path, { ...changes, engine: 'test-based-abstraction' })),
  await verify(task(path, { ...changes, engine: 'auto' })),
];

const counter =
  'static int n; void up(void) { if (n < 8) n++; } int at(int i) { static int cells[9]; (void)i; return cells[n]; }';
const toggle =
  'static int on, last; void flip(void) { on = !on; if (on) last = 1; } ' +
  'int read(void) { if (on && !last) return 1 / (on - 1); return 0; }';
const pair =
  'static int low, high; void grow(void) { if (high < 1000) { high++; low++; } } ' +
  'int gap(void) { static int t[1]; return t[high - low]; }';
const lock =
  'static int held, uses; void take(void) { if (!held) { held = 1; uses = uses < 100 ? uses + 1 : uses; } } ' +
  'void give(void) { held = 0; } int use(int d) { if (held && uses == 0) return 1 / (held - 1); return d; }';
const hidden =
  'unsigned wait(unsigned key) { unsigned round = 0, sum = 0; while (round < 1000) { sum += round; round++; } ' +
  'if (3 * key + 7 == sum) return 1 / (round - 1000); return 0; }';
// What calls can lead to a state is a question about one argument, any: the split has a quantifier, which no concrete
// state can try out.
const masked =
  'static unsigned value, copy = 90; void flip(unsigned bits) { value = value ^ bits; copy = copy ^ bits; } ' +
  'int intact(void) { return value != 0 ? 1 : 90 / copy; }';

test('fixed_foo with the coarser probe of the paper', async () => {
  const [before, after] = await both(fixture('papers/foo/fixed_foo.c'), {
    entries: ['foo'],
    ...probesOnly,
    cutpoints: 'labels',
    properties: ['null-dereference'],
    probes: [
      { name: 'low', function: 'foo', origin: 'test', formula: compare('<', variable('x'), integer(10)) },
      { name: 'null', function: 'foo', origin: 'test', formula: compare('==', variable('px'), { kind: 'null' }) },
    ],
    runs: [run(['foo', 2, 0]), run(['foo', 6, 0]), run(['foo', 11, 0])],
  });
  expect(before.kind).toBe('potential-error');
  expect(after.kind).toBe('proved');
  expect(after.refinement!.testsGiven).toBe(3);
});

test('with escalation off, the engine auto leaves a potential error as it is', async () => {
  const verdict = await verify(
    task(file(counter), { ...probesOnly, runs: [run(['up'], ['at', 0])], refinement: { escalate: false } }),
  );
  expect(verdict.kind).toBe('potential-error');
  expect(verdict.refinement).toBeUndefined();
});

test.each<[string, string, 'proved' | 'bug', Task['runs']]>([
  ['a bounded counter', counter, 'proved', [run(['up'], ['at', 0])]],
  ['a flag that another follows', toggle, 'proved', [run(['flip'], ['read'])]],
  ['two counters that move together', pair, 'proved', [run(['grow'], ['gap'])]],
  ['a lock and how often it was taken', lock, 'proved', [run(['take'], ['use', 1], ['give'])]],
  ['a number and a masked copy of it', masked, 'proved', [run(['flip', 1], ['intact'])]],
  ['an equation behind a long loop', hidden, 'bug', [run(['wait', 1])]],
])('%s', async (_, text, expected, runs) => {
  const [before, after] = await both(file(text), { ...probesOnly, runs });
  expect(before.kind).toBe('potential-error');
  expect(after.kind).toBe(expected);
});
