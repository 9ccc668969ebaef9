/** Numbers that grow while another is used up are bounded by what both begin with. */
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';

jest.setTimeout(240_000);

const verdictOf = async (text: string): Promise<string> =>
  (await verify(task(file(text), { budget: { milliseconds: 60_000 } }))).kind;

test.each([
  [1000, 'proved'],
  [999, 'bug'],
])('pieces of any size, of which there are at most %d', async (most, expected) => {
  const text = `
    #include <assert.h>
    int pieces(int length, int size) {
      int count = 0;
      if (length < 0 || length > 1000 || size < 1) return -1;
      while (length > 0) {
        int piece = size < length ? size : length;
        length -= piece;
        count++;
      }
      assert(count <= ${most});
      return count;
    }`;
  expect(await verdictOf(text)).toBe(expected);
});

test.each([
  [-200, 'proved'],
  [-199, 'bug'],
])('a member that falls to %d while a debt is paid', async (least, expected) => {
  const text = `
    #include <assert.h>
    struct account { int level, fees; };
    int pay(struct account *a, int debt, int part, int hard) {
      if (!a || debt < 0 || debt > 100 || part < 1 || a->level < 0 || a->level > 10) return 0;
      while (debt > 0) {
        debt -= part < debt ? part : debt;
        if (hard) a->level -= 2;
        assert(a->level >= ${least});
      }
      return 1;
    }`;
  expect(await verdictOf(text)).toBe(expected);
});

test.each([
  ['row > 5000', 'proved'],
  ['0', 'bug'],
])('a place that moves on through rows, unless %s', async (condition, expected) => {
  const text = `
    struct place { int row, column; };
    static int width_of(int row) { return row % 3 == 0 ? 40 : 30; }
    static int is_valid(const struct place *p) {
      int row = p->row;
      if (row < 0 || ${condition}) return 0;
      return p->column >= 1 && p->column <= width_of(row);
    }
    int move_on(struct place *p, int steps) {
      if (!p || !is_valid(p) || steps < 0 || steps > 100000) return 0;
      while (steps > 0) {
        int left = width_of(p->row) - p->column;
        if (steps <= left) {
          p->column += steps;
          return 1;
        }
        steps -= left + 1;
        p->column = 1;
        p->row++;
      }
      return 1;
    }`;
  expect(await verdictOf(text)).toBe(expected);
});

test.each([
  [16, 'proved'],
  [15, 'bug'],
])('what is taken from a kept stack is counted, at most %d', async (most, expected) => {
  const text = `
    #include <assert.h>
    static int costs[16];
    static int count;
    int put(int cost) {
      if (cost < 1 || cost > 500 || count == 16) return 0;
      costs[count++] = cost;
      return 1;
    }
    int leak(int amount) {
      int done = 0;
      if (amount < 0) return 0;
      while (count > 0 && amount >= costs[count - 1]) {
        amount -= costs[--count];
        done++;
      }
      assert(done <= ${most});
      return done;
    }`;
  expect(await verdictOf(text)).toBe(expected);
});
