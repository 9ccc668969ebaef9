/** Instructions, which nothing executes: their outputs are anything, and their inputs are evaluated. */
import { verify } from '../../../src';
import { defaultProperties } from '../../../src/program/command';
import { file, task } from '../task';

jest.setTimeout(100_000);

const kind = async (text: string): Promise<string> =>
  (await verify(task(file(text), { properties: [...defaultProperties, 'uninitialised'] }))).kind;

const instruction = (mask: number): string => `static int table[4];
  int get(void) { unsigned i; asm volatile ("mrs %0, primask" : "=r" (i) : : "memory"); return table[i & ${mask}]; }`;

test('an output is any value of its type', async () => {
  expect(await kind(instruction(3))).toBe('proved');
  expect(await kind(instruction(7))).toBe('bug');
});

test('inputs are evaluated', async () => {
  expect(await kind('static int a[4]; void f(unsigned i) { asm("" : : "r" (a[i & 7])); }')).toBe('bug');
  expect(await kind('static int a[4]; void f(unsigned i) { asm("nop" : : "r" (a[i & 7])); }')).toBe('bug');
  expect(await kind('static int a[4]; void f(unsigned i) { asm("nop" : : "r" (a[i & 3])); }')).toBe('proved');
  expect(await kind('int f(void) { int x = 1; asm("inc %0" : "+r" (x)); return 1; }')).toBe('proved');
});

const root = (type: string, check: string): string => `#include <assert.h>
  void f(${type} x) { ${type} y; asm("sqrt %0, %1" : "=t" (y) : "t" (x)); assert(${check}); }`;

test('floating-point outputs are no rounded integers', async () => {
  expect(await kind(root('float', 'y != 0.5f'))).toBe('bug');
  expect(await kind(root('double', 'y != 0.5'))).toBe('bug');
});

test('a type of 128 bits by its mode', async () => {
  const text = (bits: number): string => `typedef unsigned wide __attribute__((mode(TI)));
    _Static_assert(sizeof(wide) * 8 == ${bits}, "");
    wide f(wide a) { return a; }`;
  expect(await kind(text(128))).toBe('proved');
});
