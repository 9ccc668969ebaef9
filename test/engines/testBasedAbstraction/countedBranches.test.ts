/** Programs that count their branches in several variables: no path is followed. */
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { Solvers } from '../../../src/engines/solvers';
import { loopFree } from '../../../src/engines/testBasedAbstraction/engines';
import { file, task } from '../task';

jest.setTimeout(120_000);

let solvers: Solvers;
const budget = Budget.start({ milliseconds: 36_000_000 });
beforeAll(() => {
  solvers = new Solvers(1, budget, {});
});
afterAll(() => solvers.close());

async function outcome(body: string): Promise<string> {
  const text = `extern int nondet(void);\nextern void error(void);\nvoid foo(void) {\n${body}\n}\n`;
  const asked = task(file(text), {
    mode: 'program',
    entries: ['foo'],
    properties: ['reach'],
    load: { externals: 'any', idioms: true },
  });
  const { kind } = await loopFree.run(new Problem(asked, budget, { solvers }), nothingKnown, budget, silent);
  return kind;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const flags = (count: number, last: string): string =>
  [
    ...numbers(count).map((i) => `int p${i} = nondet();`),
    'int n = 0, m = 0;',
    ...numbers(count).map((i) => `if (p${i} > ${i}) n = n + 1; else m = m + 2;`),
    ...numbers(count).map((i) => `if (p${count - 1 - i} <= ${count - 1 - i}) m = m - 2; else n = n - 1;`),
    last,
  ].join('\n');

test('forty flags are counted up, and down again in another order', async () => {
  expect(await outcome(flags(40, 'if (n != 0 || m != 0) error();'))).toBe('safe');
});

test('one is not counted down', async () => {
  expect(await outcome(flags(4, 'if (p2 > 2) n = n + 1;\nif (n != 0 || m != 0) error();'))).not.toBe('safe');
});

const cases = (count: number, last: number): string =>
  [
    ...numbers(count).map((i) => `int k${i} = nondet();`),
    'int s = 0;',
    ...numbers(count).map((i) => `if (k${i} == 1) s += 1; else if (k${i} == 2) s += 2; else if (k${i} == 3) s += 3;`),
    ...numbers(count).map(
      (i) => `if (k${i} == 3) s -= ${i === 0 ? last : 3}; else if (k${i} == 1) s -= 1; else if (k${i} == 2) s -= 2;`,
    ),
    'if (s != 0) error();',
  ].join('\n');

test('cases are distinguished in another order', async () => {
  expect(await outcome(cases(12, 3))).toBe('safe');
  expect(await outcome(cases(2, 2))).not.toBe('safe');
});

const halves = (count: number, most: number): string =>
  [
    'int x = 0, y = 0, z = 0;',
    ...numbers(count).map(() => 'if (nondet()) x = x + 2; else { y = y + 1; if (nondet()) z = z + 1; }'),
    `if (x > ${most} || z > y) error();`,
  ].join('\n');

test('a part of the branches are at most all of them', async () => {
  expect(await outcome(halves(40, 80))).toBe('safe');
  expect(await outcome(halves(3, 5))).not.toBe('safe');
});
