/** The result of a copy is one of two known pointers: indices of its bytes are whole addresses. */
import { verify } from '../../src';
import { file, task } from './task';

jest.setTimeout(500_000);

const verdictOf = async (first: number): Promise<string> => {
  const text = `
#include <assert.h>
#include <string.h>
static char a[8], b[8];
int two(int c, unsigned n) {
  char *p;
  if (n > 3) return 0;
  b[0] = ${first};
  p = c ? memcpy(a, b, n) : b;
  assert(n == 0 || p[0] == 1);
  return 0;
}`;
  return (await verify(task(file(text), { mode: 'module', budget: { milliseconds: 200_000 } }))).kind;
};

test('a copy of a number of bytes that is not known is proved through its result', async () => {
  expect(await verdictOf(1)).toBe('proved');
});

test('another byte is a bug', async () => {
  expect(await verdictOf(2)).toBe('bug');
});
