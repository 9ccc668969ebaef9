/** Structures that undefined functions return: every call gives another one, its `const` members among them. */
import { verify } from '../../src';
import { file, task } from './task';

jest.setTimeout(500_000);

const verdictOf = async (body: string, milliseconds: number): Promise<string> => {
  const text = `
#include <assert.h>
struct pair { const int a; int b; };
struct pair made(void);
void elsewhere(struct pair *);
void f(void) {${body}}`;
  const changes = { load: { externals: 'any' }, callBacks: false, budget: { milliseconds } } as const;
  return (await verify(task(file(text), changes))).kind;
};

test('one of them keeps its const members', async () => {
  const body = `
  struct pair own = made();
  int before = own.a;
  elsewhere(&own);
  assert(own.a == before);`;
  expect(await verdictOf(body, 100_000)).toBe('proved');
});

test('the next one has others', async () => {
  const body = `
  int first = 0;
  for (int i = 0; i < 3; i++) {
    int next = made().a;
    if (i == 0) first = next;
    assert(next == first);
  }`;
  // The result of the first call would be that of all, which is proved in four seconds.
  expect(await verdictOf(body, 15_000)).not.toBe('proved');
});
