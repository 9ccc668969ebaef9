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

const inBase = (least: number, room: number, type = 'unsigned'): string => `
  int f(${type} v, int base) {
    char digits[${room}];
    int n = 0;
    if (base < ${least} || base > 16 || v < 0) return -1;
    do {
      digits[n++] = 'x';
      v /= base;
    } while (v > 0);
    return n + digits[0];
  }`;

test.each([
  ['unsigned', 32],
  ['int', 31],
])('a divisor that is 2 at least, of %s', async (type, digits) => {
  const verdict = async (text: string) => (await verify(task(file(text), { budget: { milliseconds: 60_000 } }))).kind;
  expect(await verdict(inBase(2, digits, type))).toBe('proved');
  expect(await verdict(inBase(2, digits - 1, type))).toBe('bug');
  expect(await verdict(inBase(1, digits, type))).not.toBe('proved');
});

const count = (round: string, room: number): string => `
  static char table[${room}];
  int f(unsigned v) {
    int n = 0;
    while (v) { ${round} }
    return table[n];
  }`;

test.each([
  ['cleared', 'v &= v - 1; n++;'],
  ['shifted out', 'n += v & 1; v >>= 1;'],
])('bits that are %s are counted', async (_, round) => {
  const verdict = async (room: number) =>
    (await verify(task(file(count(round, room)), { budget: { milliseconds: 60_000 } }))).kind;
  expect(await verdict(33)).toBe('proved');
  expect(await verdict(32)).toBe('bug');
});
