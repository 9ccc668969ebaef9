/**
 * The examples of "Testing, Abstraction, Theorem Proving: Better Together!" (Yorsh, Ball, Sagiv, ISSTA 2006), to the
 * number where the paper gives one.
 */
import { verify } from '../../../src';
import type { Verdict } from '../../../src/verdict';
import { compare, fixture, integer, run, task, variable } from '../task';

jest.setTimeout(300_000);

/** Section 2.2: every label a cutpoint, two probes, three tests, null dereference the only property. */
async function foo(name: string, bound: number): Promise<Verdict> {
  return verify(
    task(fixture(`papers/foo/${name}.c`), {
      entries: ['foo'],
      probes: [
        { name: 'low', function: 'foo', origin: 'test', formula: compare('<', variable('x'), integer(bound)) },
        { name: 'null', function: 'foo', origin: 'test', formula: compare('==', variable('px'), { kind: 'null' }) },
      ],
      runs: [run(['foo', 2, 0]), run(['foo', 6, 0]), run(['foo', 11, 0])],
      predicates: 'probes',
      adequacy: true,
      refinement: { escalate: false },
      cutpoints: 'labels',
      properties: ['null-dereference'],
    }),
  );
}

const missing = (verdict: Verdict): string[] =>
  verdict.adequacy!.missing.map(({ at, valuation }) => `${at.line}: ${valuation}`).sort();

test('foo: 12 abstract states covered, 18 in the end, and x == 3 is a real null dereference', async () => {
  const verdict = await foo('foo', 5);
  expect(verdict.adequacy).toMatchObject({ covered: 12, total: 18 });
  expect(verdict.kind).toBe('bug');
  if (verdict.kind !== 'bug') return;
  expect(verdict.counterexample.steps.at(-1)).toMatchObject({
    kind: 'call',
    function: 'foo',
    arguments: [{ kind: 'value', value: 3 }, { kind: 'value' }],
  });
});

test('fixed_foo: 12 covered, 15 in the end, proved', async () => {
  const verdict = await foo('fixed_foo', 5);
  expect(verdict.adequacy).toMatchObject({ covered: 12, total: 15 });
  expect(verdict.kind).toBe('proved');
  expect(missing(verdict)).toHaveLength(3);
});

test('fixed_foo with the coarser probe: 15 covered, 19 in the end, a potential error and no bug', async () => {
  const verdict = await foo('fixed_foo', 10);
  expect(verdict.adequacy).toMatchObject({ covered: 15, total: 19 });
  expect(verdict.kind).toBe('potential-error');
});

const stackTests = [
  run(['init', 2], ['push', 7], ['push', 8], ['push', 7], ['pop'], ['pop']),
  run(['init', 0], ['push', 1], ['push', 2], ['push', 3]),
];

test('the bounded stack is proved with default predicates, at most 4 fabricated states, 0 <= size <= max', async () => {
  const verdict = await verify(task(fixture('papers/stack/stack.c'), { init: 'init', runs: stackTests }));
  expect(verdict.kind).toBe('proved');
  if (verdict.kind !== 'proved') return;
  expect(verdict.statistics.fabricatedStates).toBeLessThanOrEqual(4);
  const between = verdict.invariants.find(({ at }) => at === 'module')!;
  expect(between.formula).toContain('size <= max');
  expect(between.formula).toMatch(/size >= 0|0 <= size/);
});

test.each([['stack-bug'], ['stack-ge']])('%s: a short client drives an index out of bounds', async (name) => {
  const verdict = await verify(task(fixture(`papers/stack/${name}.c`), { init: 'init', runs: stackTests }));
  expect(verdict.kind).toBe('bug');
  if (verdict.kind !== 'bug') return;
  expect(verdict.counterexample.failure.property).toBe('memsafety');
  const calls = verdict.counterexample.steps.filter(({ kind }) => kind === 'call');
  expect(calls.length).toBeLessThanOrEqual(4);
  expect(calls.at(-1)).toMatchObject({ function: 'push' });
});
