/** Structures that a function returns by value, and clients keep: `reader_t r = reader(text, n);` sets one up. */
import { initialisersOf, validPrefix } from '../../../src/evidence/scenarios/structures/setUpFunctions';
import type { Operation } from '../../../src/host/operation';
import type { ModuleInstance } from '../../../src/host/module';
import { verify } from '../../../src/index';
import { printTest } from '../../../src/host/printing/printTest';
import type { Task } from '../../../src/task';
import { load } from '../../host/moduleOf';
import { file, task } from '../task';
import { ifLong, inLongForm } from '../../long';

jest.setTimeout(240_000);

const counters = (more: string, made = '(counter_t){ .left = limit, .limit = limit }'): string => `
#include <assert.h>
typedef struct { unsigned left, limit; } counter_t;
counter_t counter(unsigned limit) { return ${made}; }
unsigned counter_used(const counter_t *c) { if (!c) return 0; assert(c->left <= c->limit); return c->limit - c->left; }
int counter_take(counter_t *c) { if (!c || c->left == 0) return 0; c->left--; return 1; }
${more}`;
const byValue = [{ type: 'counter_t', functions: ['counter'] }];
const ask = (text: string, changes: Partial<Task> = {}) =>
  verify(task(file(text), { budget: { milliseconds: 150_000 }, ...changes }));

test('what every such structure keeps is proved', async () => {
  const verdict = await ask(counters(''), { initialisedBy: byValue });
  expect(verdict.kind).toBe('proved');
  expect(verdict.assumptions.join('\n')).toContain('every counter_t set up by counter');
});

const copied = counters('', 'from ? *from : (counter_t){ .left = limit, .limit = limit }').replace(
  'counter(unsigned limit)',
  'counter(const counter_t *from, unsigned limit)',
);

inLongForm('what a function copies from keeps what all do', async () => {
  expect((await ask(copied, { initialisedBy: byValue })).kind).toBe('proved');
});

test('what a function copies from is not what it sets up', async () => {
  await expect(ask(copied, { initialisedBy: [{ type: 'counter_t', functions: ['counter_used'] }] })).rejects.toThrow(
    'counter_used has no parameter that points to a writable counter_t',
  );
});

test.each([
  ['the function returns one that does not keep it', counters('', '(counter_t){ .left = limit, .limit = limit / 2 }')],
  ['a function changes one part alone', counters('void counter_add(counter_t *c) { if (c) c->left++; }')],
  ...ifLong<[string, string]>([
    'another function returns one as well',
    counters('counter_t any(unsigned n) { counter_t c = {n, 0}; return c; }'),
  ]),
  ['clients pass one by value', counters('unsigned of(counter_t c) { assert(c.left <= c.limit); return c.left; }')],
])('%s: not proved', async (_, text) => {
  const verdict = await ask(text, { initialisedBy: byValue, budget: { milliseconds: 6_000 } });
  expect(verdict.kind).not.toBe('proved');
});

test('a failure behind it is told as calls, and as a test that keeps the structure', async () => {
  const text = counters('int third(const counter_t *c) { if (c) assert(c->limit - c->left != 2); return 0; }');
  const verdict = await ask(text, { initialisedBy: byValue });
  expect(verdict.kind).toBe('bug');
  if (verdict.kind !== 'bug') return;
  const { steps, failure } = verdict.counterexample;
  const made = steps.find((step) => step.kind === 'call' && step.function === 'counter');
  expect(made).toMatchObject({ name: expect.any(String) as string, structure: 'counter_t' });
  expect(printTest(steps, 'm', failure)).toMatch(
    /const (\w+) = m\.alloc\('counter_t', m\.counter\(\d+\)\);\n[^]*m\.third\(\1\)/,
  );
});

describe('a failure that needs another structure', () => {
  const text = `
typedef struct { unsigned at, step; } wheel_t;
static const char letters[4] = "abcd";
wheel_t wheel(unsigned at) { return (wheel_t){ .at = at % 4, .step = 1 }; }
int wheel_next(wheel_t *w) { if (!w) return 0; int c = letters[w->at]; w->at = (w->at + w->step) % 4; return c; }`;
  const offered = async (runs: Task['runs']): Promise<readonly string[]> => {
    const verdict = await ask(text, { runs, budget: { milliseconds: 10_000 } });
    return verdict.angelic?.specifications.map((one) => one.text) ?? [];
  };
  const next = {
    kind: 'call',
    function: 'wheel_next',
    arguments: [{ allocation: 0, offset: 0 }],
    answers: [],
  } as const;

  test('it is offered that clients have it from the function', async () => {
    expect(await offered([])).toContain('wheel_t is set up by wheel');
  });

  test('unless its name is neither that of a maker nor that of the structure', async () => {
    const other = text.replaceAll('wheel_t wheel(', 'wheel_t turned(');
    const verdict = await ask(other, { budget: { milliseconds: 10_000 } });
    expect(verdict.angelic?.specifications.map((one) => one.text) ?? []).not.toContain('wheel_t is set up by turned');
    expect(verdict.kind).toBe('bug');
  });

  test('unless a test fills one in by itself', async () => {
    const run: readonly Operation[] = [{ kind: 'allocate', type: 'wheel_t', bytes: '00'.repeat(8) }, next];
    expect(await offered([run])).not.toContain('wheel_t is set up by wheel');
  });
});

test('what else such a failure hangs on is offered, with the calls that lead to it', async () => {
  const text = counters('void counter_left(const counter_t *c, unsigned *left) { if (c) *left = c->left; }');
  const verdict = await ask(text, { initialisedBy: byValue, budget: { milliseconds: 10_000 } });
  expect(verdict.angelic?.specifications.map((one) => one.text)).toContain('counter_left: left != NULL');
});

describe('tests that keep what was returned', () => {
  interface Counter {
    left: number;
    limit: number;
  }
  /** The number of operations of the test that keep to the declaration, of all. */
  const kept = (act: (m: ModuleInstance, made: (limit: number) => Counter) => void): readonly [number, number] => {
    const m = load(counters(''));
    act(m, (limit) => m.fn('counter')(limit) as Counter);
    const { program } = m;
    const [run] = m.runs;
    const initialisers = initialisersOf(program, program.functions, byValue);
    return [validPrefix(initialisers, program, run!).length, run!.length];
  };

  test('an object that holds what was returned counts as set up', () => {
    const [prefix, all] = kept((m, made) => m.fn('counter_take')(m.alloc('counter_t', made(2))));
    expect(prefix).toBe(all);
  });

  test.each<[string, (m: ModuleInstance, made: (limit: number) => Counter) => void]>([
    [
      'one that was changed',
      (m, made) => m.fn('counter_take')(m.alloc('counter_t', Object.assign(made(2), { left: 1 }))),
    ],
    ['one that the test made up', (m) => m.fn('counter_take')(m.alloc('counter_t', { left: 2, limit: 2 }))],
    [
      'the copy of one that is in use',
      (m, made) => {
        const first = made(2);
        m.fn('counter_take')(m.alloc('counter_t', first));
        m.fn('counter_take')(m.alloc('counter_t', first));
      },
    ],
  ])('%s does not', (_, act) => {
    const [prefix, all] = kept(act);
    expect(prefix).toBeLessThan(all);
  });
});
