/**
 * Failures that depend on functions without a body: answers that are objects in runs, the guarantees that excuse a
 * failure, and those that are refused.
 */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import { file, task } from '../task';
import { errors, specifications } from './lists';
import { inLongForm } from '../../long';

/** Each takes several seconds. */

jest.setTimeout(900_000);

const ask = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(
    task(file(text), {
      load: { externals: 'angelic' },
      angelic: true,
      furtherChecks: 'to the end',
      budget: { milliseconds: 20_000 },
      ...change,
    }),
  );

/** For those that end when all is proved. */
const patient = { budget: { milliseconds: 300_000 } };

const find = `
#define NULL ((void *)0)
extern int *Find(int key);
int misses;
void First(int key) { int *p = Find(key); *p = 1; }
`;

test('AV-06: a result is not null, for all calls of the function', async () => {
  const verdict = await ask(`${find}void Again(int key) { *Find(key) = 2; }`, patient);
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toEqual(['Find() ensures PROVEST_LENGTH(result) >= 1']);
  expect(verdict).toMatchObject({
    kind: 'conditional',
    angelic: {
      specifications: [
        {
          function: 'Find',
          code: "ensures: { Find: 'PROVEST_LENGTH(result) >= 1' }",
          flags: '--ensures "Find: PROVEST_LENGTH(result) >= 1"',
        },
      ],
    },
  });
});

inLongForm('AV-06: a test for null behind another call of the function refuses it', async () => {
  const verdict = await ask(
    `${find}void Second(int key) { int *p = Find(key); if (p == NULL) { misses = 1; return; } *p = 2; }`,
  );
  expect(errors(verdict)).toEqual(['First: null pointer dereference: p']);
  expect(verdict).toMatchObject({
    angelic: {
      refused: [{ text: 'Find() ensures PROVEST_LENGTH(result) >= 1', condition: 'p == NULL', outcome: true }],
    },
  });
});

inLongForm('an assertion that a result is not null needs no more', async () => {
  const verdict = await ask(
    '#include <assert.h>\n#include <stddef.h>\nextern int *Find(int key);\n' +
      'void has(int key) { assert(Find(key) != NULL); }',
    { properties: ['reach'], ...patient },
  );
  expect(specifications(verdict)).toEqual(['Find() ensures result != NULL']);
  expect(verdict.kind).toBe('conditional');
});

test('stated, it proves the module', async () => {
  const verdict = await ask(find, {
    load: { externals: 'angelic', ensures: { Find: ['PROVEST_LENGTH(result) >= 1'] } },
    ...patient,
  });
  expect(verdict.kind).toBe('proved');
});

inLongForm('AV-19: a failure behind a test for null has a run, in which the function answers an object', async () => {
  const verdict = await ask(
    'extern int *Find(int key);\nint g(int key) { int *p = Find(key); if (!p) return 0; *p = 0; return 6 / *p; }',
  );
  expect(errors(verdict)).toEqual(['g: division by zero: 6 / *p']);
  const { counterexample } = verdict as Extract<Verdict, { kind: 'bug' }>;
  const answer = counterexample.steps.find((step) => step.kind === 'input');
  expect(answer).toMatchObject({ function: 'Find', value: expect.any(Array) as unknown });
  expect(counterexample.test).toMatch(/\.answer\('Find', \[[-\d, ]+\]\);/);
});

inLongForm('no more than there is room for', async () => {
  const uart = `
extern int uart_read(unsigned char *to, int size);
static unsigned char buffer[8];
int poll(void) { int n = uart_read(buffer, 8); return n > 0 ? buffer[n - 1] : 0; }`;
  const verdict = await ask(uart, patient);
  expect(specifications(verdict)).toEqual(['uart_read() ensures result <= size']);
  expect(verdict.kind).toBe('conditional');
  // The twin reads one further than it was told.
  const twin = await ask(uart.replace('n > 0 ? buffer[n - 1]', 'n > 0 ? buffer[n]'));
  expect(errors(twin)).toHaveLength(1);
});

test('AV-14: an answer of a passing test speaks against what it breaks', async () => {
  const runs: Task['runs'] = [[{ kind: 'call', function: 'poll', arguments: [], answers: [{ integer: '9' }] }]];
  const verdict = await ask(
    'extern int left(int most);\nstatic int a[4];\n' +
      'int poll(void) { int n = left(4); return n >= 0 && n != 9 ? a[n % 5] : 0; }',
    { runs },
  );
  expect(specifications(verdict)).toEqual([]);
  expect(errors(verdict)).toHaveLength(1);
});

inLongForm(
  'memory as long as was asked for',
  async () => {
    const text = `
#define NULL ((void *)0)
extern void *block_alloc(unsigned bytes);
int *make(unsigned n) { if (n == 0 || n > 100) return NULL; int *p = block_alloc(n * sizeof(int));
  if (p != NULL) p[n - 1] = 7; return p; }`;
    const verdict = await ask(text, { budget: { milliseconds: 120_000 } });
    expect(errors(verdict)).toEqual([]);
    expect(specifications(verdict)).toEqual([
      'block_alloc() ensures result == NULL || PROVEST_LENGTH(result) >= bytes',
    ]);
    // One element more than was asked for.
    expect(errors(await ask(text.replace('p[n - 1]', 'p[n]')))).toHaveLength(1);
  },
  400_000,
);

test('AV-15: a function that ends the program never returns, one that logs does', async () => {
  const use = (report: string): string =>
    `extern void ${report}(int code);\nint use(const int *p) { if (!p) ${report}(1); return *p; }`;
  const verdict = await ask(use('Panic'), patient);
  expect(specifications(verdict)).toEqual(['Panic() never returns']);
  expect(verdict.kind).toBe('conditional');
  expect(errors(await ask(use('Log')))).toEqual(['use: null pointer dereference: p']);
});

inLongForm('a guarantee that a failure does not depend on excuses nothing', async () => {
  const verdict = await ask(
    'extern int *Find(int key);\n' +
      'int g(int n) { int *p = Find(n); int m = p ? *p % 2 : 0; return n == 7 ? m / (n - 7) : 6; }',
  );
  expect(errors(verdict)).toEqual([expect.stringMatching(/^g: division by zero/)]);
  expect(specifications(verdict)).toEqual([]);
});
