/** Numbers that grow while another is used up are bounded by what both begin with. */
import { readFileSync } from 'node:fs';
import { verify } from '../../../../src/index';
import { file, fixture, task } from '../../../engines/task';

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
  ['cursor_moves_on.c', 'proved'],
  ['cursor_moves_on_wrong.c', 'bug'],
])('a place that moves on through rows, whose row is read once: %s', async (name, expected) => {
  const text = readFileSync(fixture(`programs/module/${name}`), 'utf8');
  const once = text.replace(/if \((p->row < 0[^)]*)\)/, (_, condition: string) => {
    return `int row = p->row;\n  if (${condition.replaceAll('p->row', 'row')})`;
  });
  expect(once).not.toBe(text);
  expect(await verdictOf(once)).toBe(expected);
});
