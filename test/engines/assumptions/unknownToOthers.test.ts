/** Pointers that functions without a body return: to variables whose address the program takes, or to any others. */
import { verify } from '../../../src/index';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';

jest.setTimeout(120_000);

const verdictOn = (text: string, externals: 'any' | 'value'): Promise<Verdict> =>
  verify(
    task(file(`#include <assert.h>\n${text}`), {
      mode: 'program',
      entries: ['main'],
      properties: ['reach'],
      load: { externals },
      budget: { milliseconds: 6_000 },
    }),
  );

const writer = (before: string, get = 'get'): string =>
  `int s; extern int *${get}(void); ${before} int main(void) { int *p = ${get}(); if (p) *p = 5; assert(s == 0); }`;
const unknown = 'functions without a body do not know the variables of the program: a pointer';

test.each([['get'], ['__VERIFIER_nondet_pointer']])(
  'a function that does nothing but answer gives no pointer to a variable that it is not told of (%s)',
  async (get) => {
    const verdict = await verdictOn(writer('', get), 'value');
    expect(verdict.kind).toBe('proved');
    expect(verdict.assumptions.filter((one) => one.startsWith(unknown))).toHaveLength(1);
  },
);

test.each([
  ['any function of other files may name it', writer(''), 'any'],
  ['the program takes its address', writer('int *at(void) { return &s; }'), 'value'],
  [
    'the program hands its address out',
    'int s; extern void keep(int *p); extern int *get(void); int main(void) { keep(&s); int *p = get(); ' +
      'if (p) *p = 5; assert(s == 0); }',
    'value',
  ],
  // An array is an object, whatever names it.
  ['it is an array', writer('').replace('int s;', 'int s[2];').replace('s == 0', 's[1] == 0'), 'value'],
] as const)('not if %s', async (_, text, externals) => {
  const verdict = await verdictOn(text, externals);
  expect(verdict.kind).not.toBe('proved');
  expect(verdict.assumptions.some((one) => one.startsWith(unknown))).toBe(externals === 'value');
});

test('a structure that such a function returns holds any values, and nothing else is changed', async () => {
  const text = (claim: string): string =>
    'union word { long whole; struct { int low, high; } parts; }; struct pair { int a; union word b; }; int s; ' +
    `extern struct pair get(int *); int main(void) { int x = 1; struct pair p = get(&x); assert(${claim}); }`;
  expect((await verdictOn(text('x == 1 && s == 0'), 'value')).kind).toBe('proved');
  expect((await verdictOn(text('p.a != 7'), 'value')).kind).toBe('bug');
  expect((await verdictOn(text('p.b.parts.high != 7'), 'value')).kind).not.toBe('proved');
  // Others may write what they are handed.
  expect((await verdictOn(text('x == 1'), 'any')).kind).not.toBe('proved');
});

test('pointers in a union cannot be inputs: such a function may still do anything', async () => {
  const text = (claim: string): string =>
    'union any { int *p; long n; }; extern union any get(int *); ' +
    `int main(void) { int x = 1; union any u = get(&x); assert(${claim}); return u.n != 0; }`;
  expect((await verdictOn(text('x == 1'), 'value')).kind).not.toBe('proved');
});
