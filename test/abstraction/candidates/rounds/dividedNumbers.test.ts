/** Loops that divide a number by a constant until nothing is left take few rounds, which bounds what they count. */
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';

jest.setTimeout(240_000);

const loop = (type: string, divide: string, digits: number): string => `
  unsigned f(${type} v) {
    char digits[${digits}];
    unsigned n = 0;
    do {
      digits[n++] = 'x';
      v ${divide};
    } while (v != 0);
    return n + digits[0];
  }`;

test.each([
  ['unsigned', '/= 10', 10],
  ['unsigned long', '/= 10', 20],
  ['unsigned short', '/= 7', 6],
  ['unsigned', '>>= 4', 8],
])('a %s that is %s has at most %i digits', async (type, divide, digits) => {
  const verdict = async (room: number) =>
    (await verify(task(file(loop(type, divide, room)), { budget: { milliseconds: 60_000 } }))).kind;
  expect(await verdict(digits)).toBe('proved');
  expect(await verdict(digits - 1)).toBe('bug');
});

test('a counter that goes down, and a number tested first', async () => {
  const text = (first: number): string => `
    int f(unsigned v) {
      char digits[10];
      int n = ${first};
      while (v != 0) {
        digits[--n] = 'x';
        v /= 10;
      }
      return n;
    }`;
  expect((await verify(task(file(text(10)), { budget: { milliseconds: 60_000 } }))).kind).toBe('proved');
  expect((await verify(task(file(text(9)), { budget: { milliseconds: 60_000 } }))).kind).toBe('bug');
});
