/** Lengths that prototypes ask of clients, `int a[static n]`. */
import { verify } from '../../../src/index';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';

jest.setTimeout(120_000);

const ask = (text: string): Promise<Verdict> => verify(task(file(text), { budget: { milliseconds: 60_000 } }));

const sum = (parameter: string, operator: string): string =>
  `int sum(${parameter}) { int s = 0; for (int i = 0; i ${operator} 4; i++) s ^= a[i]; return s; }`;

test('clients pass as many elements as the prototype says, and not null', async () => {
  const verdict = await ask(sum('const int a[static 4]', '<'));
  expect(verdict.kind).toBe('proved');
  expect(verdict.assumptions).toContain('clients keep to the precondition of sum');
});

test('without the word it says nothing', async () => {
  expect(await ask(sum('const int a[4]', '<'))).toMatchObject({ kind: 'bug' });
});

test('no longer array excuses an access behind them', async () => {
  const verdict = await ask(sum('const int a[static 4]', '<='));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'dereference' } } });
  expect(verdict.angelic?.specifications ?? []).toEqual([]);
});

test.each([
  ['another parameter', 'int last(int n, const int a[static n]) { return n > 0 ? a[n - 1] : 0; }'],
  ['a narrower one', 'int last(unsigned char n, const int a[static n]) { return n > 0 ? a[n - 1] : 0; }'],
  [
    'one that only a declaration says',
    'int last(int n, const int a[static n]); int last(int n, const int *a) { return n > 0 ? a[n - 1] : 0; }',
  ],
  [
    'one that has another name in the declaration',
    'int last(int count, const int a[static count]); ' +
      'int last(int n, const int *a) { return n > 0 ? a[n - 1] : 0; }',
  ],
])('by %s', async (_, text) => {
  expect(await ask(text)).toMatchObject({ kind: 'proved' });
});

test('a declaration whose parameters have the names of others means its own', async () => {
  const pick = (length: string): string =>
    `int pick(int n, int m, const int a[static n]);
int pick(int m, int n, const int *a) { return m > 0 && n > 0 ? a[${length} - 1] : 0; }`;
  expect(await ask(pick('m'))).toMatchObject({ kind: 'proved' });
  expect(await ask(pick('n'))).toMatchObject({ kind: 'bug' });
  // Calls within the program are checked by the same length.
  const caller = (m: number, n: number): string =>
    `${pick('m').replace(/^int pick/gm, 'static int pick')}
int use(void) { int one[1] = { 5 }; return pick(${m}, ${n}, one); }`;
  expect(await ask(caller(1, 9))).toMatchObject({ kind: 'proved' });
  expect(await ask(caller(9, 1))).toMatchObject({ kind: 'bug' });
});

test.each([
  [
    'of a parameter that the definition calls otherwise',
    'int last(int m, int n, const int a[static m]); ' +
      'int last(int n, int m, const int *a) { return n > 0 && m > 0 ? a[IT - 1] : 0; }',
    'n',
    'm',
  ],
  [
    'of a variable of the module, and not of a later parameter of its name',
    'static int n = 1; int last(const int a[static n], int n) { return n > 0 ? a[IT - 1] : 0; }',
    undefined,
    'n',
  ],
])('by names %s', async (_, text, counted, other) => {
  if (counted) expect(await ask(text.replace('IT', counted))).toMatchObject({ kind: 'proved' });
  expect(await ask(text.replace('IT', other))).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { check: 'dereference' } },
  });
});
