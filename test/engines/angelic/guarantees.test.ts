/** Guarantees of functions without a body, as given: what is proved with them, what is not, and mistakes in them. */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import { CError } from '../../../src/c';
import { loadProgram } from '../../../src/program';
import { file, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(900_000);

const ask = (text: string, ensures: Readonly<Record<string, readonly string[]>>, change: Partial<Task> = {}) =>
  verify(task(file(text), { load: { externals: 'any', ensures }, ...change }));

const failure = (verdict: Verdict): string | undefined =>
  verdict.kind === 'bug' ? verdict.counterexample.failure.message : undefined;

const brief: Partial<Task> = { budget: { milliseconds: 8_000 } };

const message = (text: string, ensures: Readonly<Record<string, readonly string[]>> = {}): string => {
  try {
    loadProgram([file(text)], { externals: 'any', ensures });
  } catch (error) {
    if (error instanceof CError) return error.message;
    throw error;
  }
  return '';
};

const uart = `
extern int uart_read(unsigned char *to, int size);
static unsigned char buffer[8];
static unsigned char last;
void poll(void) { int n = uart_read(buffer, 8); if (n > 0) last = buffer[n - 1]; }
`;

test('a result within a bound keeps an index within its array', async () => {
  expect((await ask(uart, { uart_read: ['result <= size'] })).kind).toBe('proved');
  // One more is too many.
  expect((await ask(uart, { uart_read: ['result <= size + 1'] })).kind).toBe('bug');
  expect((await ask(uart, {})).kind).toBe('bug');
});

test('every verdict lists what it rests on', async () => {
  const { assumptions } = await ask(uart, { uart_read: ['result <= size', 'result != -2'] });
  expect(assumptions).toEqual(
    expect.arrayContaining([
      'whenever uart_read returns, this holds: result <= size',
      'whenever uart_read returns, this holds: result != -2',
    ]),
  );
});

test('arguments are those that were passed', async () => {
  const text = `
int limit = 4;
extern int get(int most);
static int table[4];
int use(void) { limit = 4; int i = get(limit); return i >= 0 ? table[i] : 0; }`;
  // get may change limit.
  expect((await ask(text, { get: ['result < most'] })).kind).toBe('proved');
  expect((await ask(text, { get: ['result < limit'] })).kind).toBe('bug');
});

inLongForm('a guarantee may speak of memory as the call leaves it', async () => {
  const text = 'extern int get(int *out);\nint use(void) { int i = 0; if (!get(&i)) return 0; return 100 / i; }';
  expect((await ask(text, { get: ['result == 0 || *out > 0'] })).kind).toBe('proved');
  expect((await ask(text, { get: ['result == 0 || *out >= 0'] })).kind).toBe('bug');
});

test('a condition without a meaning does not hold', async () => {
  const text = `
struct item { int size; };
extern struct item *next(void);
int use(void) { return next()->size / 2; }`;
  expect((await ask(text, { next: ['result->size >= 0'] }, { properties: ['memsafety'] })).kind).toBe('proved');
  expect(
    (await ask(text, { next: ['result == 0 || result->size >= 0'] }, { properties: ['memsafety'] })).kind,
  ).not.toBe('proved');
});

inLongForm(
  'a length is that of an object that may be used',
  async () => {
    const first = 'extern int *find(void);\nvoid set(void) { *find() = 1; }';
    const said = { find: ['PROVEST_LENGTH(result) >= 1'] };
    expect((await ask(first, said)).kind).toBe('proved');
    expect((await ask(first.replace('*find() =', 'find()[1] ='), said, brief)).kind).not.toBe('proved');
    // It may be an object of the module's that is not writable.
    const constant = 'extern const int *find(void);\n';
    expect((await ask(`${constant}int get(void) { return *find(); }`, said)).kind).toBe('proved');
    const own = `${constant}static const int k = 3;\nextern void tell(const int *p);\n`;
    const set = `${own}void set(void) { tell(&k); *(int *)find() = 1; }`;
    expect((await ask(set, said, brief)).kind).not.toBe('proved');
  },
  120_000,
);

test('guarantees that no answer keeps prove nothing', async () => {
  const text = 'extern int get(void);\nint use(void) { return 6 / get(); }';
  expect((await ask(text, { get: ['result > 0', 'result < 0'] }, brief)).kind).not.toBe('proved');
});

test('one that never returns', async () => {
  const text = 'extern void panic(int code);\nint use(const int *p) { if (!p) panic(1); return *p; }';
  expect(failure(await ask(text, {}))).toMatch(/null pointer/);
  const verdict = await ask(text, { panic: ['0'] });
  expect(verdict.kind).toBe('proved');
  expect(verdict.assumptions).toContain('panic never returns');
});

test('C states it, too, behind the declaration', async () => {
  const said = `#include <provest.h>\n${uart.replace(
    'size);',
    'size);\nPROVEST_ENSURES_OF(uart_read, result <= size);',
  )}`;
  expect((await ask(said, {})).kind).toBe('proved');
  expect((await ask(said.replace('result <= size', 'PROVEST_RESULT <= 8 && PROVEST_LENGTH(to) > 0'), {})).kind).toBe(
    'proved',
  );
});

test('a parameter, or a variable, may be called result', async () => {
  const text =
    'static int a[2];\nint result = 5;\nextern int get(void);\n' +
    'int use(void) { int i = get(); return i == 1 ? a[i] : 0; }';
  expect((await ask(text, { get: ['result < 2'] })).kind).toBe('proved');
  const named = 'extern int get(int result);\nint use(void) { return 1 / get(3); }';
  expect((await ask(named, { get: ['PROVEST_RESULT == result'] })).kind).toBe('proved');
});

test('a call through a pointer to the function has them, too', async () => {
  const text = 'extern int get(void);\nstatic int (*p)(void) = get;\nint use(void) { return 6 / p(); }';
  expect((await ask(text, { get: ['result > 0'] })).kind).toBe('proved');
  expect((await ask(text, {})).kind).toBe('bug');
});

describe('mistakes', () => {
  const text = 'extern int get(int size);\nint own(void) { return get(1); }';
  test.each([
    [{ own: ['result > 0'] }, /'own' has a body: a guarantee is for functions without one/],
    [{ gte: ['result > 0'] }, /no file declares a function 'gte'[^]*Did you mean 'get'/],
    [{ get: ['result > sice'] }, /undeclared identifier 'sice'[^]*Did you mean 'size'/],
    [{ get: ['result = 1'] }, /a guarantee changes nothing/],
    [{ get: ['own() > 0'] }, /a guarantee calls no function/],
    [{ get: ['result >'] }, /expected an expression/],
    [{ get: ['*&size > 0'] }, /have no address/],
  ])('%j', (ensures, expected) => {
    expect(message(text, ensures as Record<string, string[]>)).toMatch(expected);
  });
  test('of a function that provest knows', () => {
    expect(message('#include <stdlib.h>\nint *f(void) { return malloc(4); }', { malloc: ['result != 0'] })).toMatch(
      /provest knows what 'malloc' does/,
    );
  });
  test('nothing is said of a void result', () => {
    expect(message('extern void get(void);\nvoid f(void) { get(); }', { get: ['PROVEST_RESULT > 0'] })).toMatch(
      /returns nothing/,
    );
  });
});

describe('a condition that is false whatever is returned', () => {
  const reading = (call: string): string => `
extern unsigned char get(void);
static int table[3];
int use(int asked) { unsigned char c = 0; ${call} return table[c]; }`;

  test.each(['result == -1', 'result < 0 && result > 0', '1 / 0 > 0'])(
    '%s proves nothing: an unsigned char is never that, and the call would never return',
    async (condition) => {
      for (const call of ['c = get();', 'if (asked) c = get();'])
        expect(await ask(reading(call), { get: [condition] })).toMatchObject({
          kind: 'unknown',
          reason: { cause: 'vacuous' },
        });
    },
  );

  test.each(['0', '(0)'])('%s says that the function never returns, and the verdict says so', async (condition) => {
    expect(await ask(reading('if (asked) c = get();'), { get: [condition] })).toMatchObject({
      kind: 'proved',
      assumptions: expect.arrayContaining(['get never returns']) as string[],
    });
  });
});
