/** What was tested of a count before a loop bounds a place that the loop moves on, by what is left of the count. */
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';

jest.setTimeout(240_000);

const kindOf = async (text: string): Promise<string> =>
  (await verify(task(file(text), { budget: { milliseconds: 60_000 } }))).kind;

const sumOfParts = (test: string): string => `
  #include <provest.h>
  #include <stddef.h>
  unsigned sum(const unsigned char *in, size_t length) {
    PROVEST_REQUIRES(PROVEST_LENGTH(in) >= length);
    size_t at = 0;
    unsigned all = 0;
    while (at < length) {
      unsigned char count = in[at];
      if (count == 0 || ${test}) return all;
      at++;
      for (unsigned char i = 1; i < count; i++) all ^= in[at++];
    }
    return all;
  }`;

test.each([
  ['count > length - at', 'proved'],
  ['count > length - at + 1', 'bug'],
])('a narrower count that a message holds, unless %s', async (condition, expected) => {
  expect(await kindOf(sumOfParts(condition))).toBe(expected);
});

const countDown = (test: string): string => `
  static char to[24];
  int put(int at, unsigned char count) {
    if (at < 0 || at > 24 || ${test}) return -1;
    while (count--) to[at++] = 'x';
    return at;
  }`;

test.each([
  ['count > 24 - at', 'proved'],
  ['count > 25 - at', 'bug'],
])('a narrower count that goes down, unless %s', async (condition, expected) => {
  expect(await kindOf(countDown(condition))).toBe(expected);
});

const together = (test: string): string => `
  static char to[24];
  int put(unsigned at, unsigned count, unsigned size) {
    if (size > 24 || at > size || ${test}) return -1;
    for (unsigned i = 0; i < count; i++) to[at++] = 'x';
    return 0;
  }`;

test.each([
  ['count > size - at', 'proved'],
  ['count > size - at + 1', 'bug'],
])('two numbers of one type that go up together, unless %s', async (condition, expected) => {
  expect(await kindOf(together(condition))).toBe(expected);
});
