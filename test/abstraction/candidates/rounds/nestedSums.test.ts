/** Sums over the rounds of two nested loops. */
import { nestedSums } from '../../../../src/abstraction/candidates/rounds/nestedSums';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { moduleSystem } from '../../moduleSystem';

const total = (columns: string, element = 'unsigned char'): string => `
  static ${element} cells[5][6];
  void set(unsigned y, unsigned x, ${element} v) { if (y < 5 && x < 6) cells[y][x] = v; }
  int total(void) {
    int n = 0;
    for (int y = 0; y < 5; y++)
      for (int x = 0; x < ${columns}; x++) n += cells[y][x];
    return 1000 / (n + 1);
  }`;

test('of both loops, by their counters', () => {
  const system = moduleSystem(total('6'));
  const found = [...nestedSums(system)].map(([{ kind }, terms]) => [
    kind,
    terms.map((term) => printTerm(term, system.vocabulary)),
  ]);
  expect(found).toEqual([
    ['loop', ['y >= 0', 'x >= 0', 'x <= 6', 'n >= 0', 'n <= 1530 * y + 255 * x']],
    ['loop', ['y >= 0', 'n >= 0', 'n <= 1530 * y']],
  ]);
});

test('an inner loop that goes on early, and is bounded in each case', () => {
  const system = moduleSystem(`
    int near(const unsigned char *cell) {
      int n = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
          if (x == 0 && y == 0) continue;
          n += *cell;
        }
      return n;
    }`);
  const found = [...nestedSums(system).values()].flat().map((term) => printTerm(term, system.vocabulary));
  expect(found.filter((one) => one.startsWith('n <='))).toHaveLength(2);
});

test.each([
  [total('6'), 'proved'],
  [total('y + 1'), 'proved'],
  [total('7'), 'not proved'],
  [total('6', 'signed char'), 'not proved'],
])(
  '%s: %s',
  async (text, expected) => {
    const { kind } = await verify(
      task(file(text), { budget: { milliseconds: expected === 'proved' ? 20_000 : 3_000 } }),
    );
    expect(kind === 'proved' ? kind : 'not proved').toBe(expected);
  },
  60_000,
);
