/** Counts that go on from one word to the next: of bits that are set, and of digits. */
import { moduleSystem } from '../../moduleSystem';
import { nestedCounts } from '../../../../src/abstraction/candidates/rounds/nestedCounts';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';

const bitsOfWords = (round: string, room: number): string => `
  static unsigned words[3];
  static char table[${room}];
  void set(unsigned i, unsigned value) { if (i < 3) words[i] = value; }
  int count(void) {
    int n = 0;
    for (int w = 0; w < 3; w++)
      for (unsigned x = words[w]; x != 0; ${round}) n++;
    return table[n];
  }`;

const said = (text: string): readonly string[] => {
  const system = moduleSystem(text);
  return [...nestedCounts(system).values()].flatMap((terms) => terms.map((term) => printTerm(term, system.vocabulary)));
};

test('what is counted for all words before is said between words, and within one', () => {
  const found = said(bitsOfWords('x &= x - 1', 97));
  expect(found).toContain('n <= 32 * w');
  expect(found).toContain('n <= 32 * w + 32');
  expect(said(bitsOfWords('x /= 10', 31))).toContain('n <= 10 * w');
});

test('nothing is said of a loop that uses nothing up', () => {
  expect(said(bitsOfWords('x = x ^ (x - 1)', 97))).toEqual([]);
});

test.each([
  ['x &= x - 1', 97],
  ['x /= 10', 31],
])(
  'the table is large enough for three words: %s',
  async (round, room) => {
    const verdict = async (size: number) =>
      (await verify(task(file(bitsOfWords(round, size)), { budget: { milliseconds: 60_000 } }))).kind;
    expect(await verdict(room)).toBe('proved');
    expect(await verdict(room - 1)).not.toBe('proved');
  },
  150_000,
);
