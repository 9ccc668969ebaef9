/**
 * Pairs of programs that differ in a word, one of which fails. On the second of each pair figure 5 of the paper, as
 * printed, or a plausible implementation of it, closes the tree.
 */
import type { MinimaxOptions } from '../../../src/engines/minimax/minimax';
import { treeOf } from './treeOf';

jest.setTimeout(240_000);

const traps: Readonly<Record<string, readonly [safe: string, unsafe: string]>> = {
  'what covers a state inside a loop keeps what the head keeps': pair(
    `void foo(void) {
      int sum = 0, step;
      while (nondet()) { if (nondet()) step = 0; else step = STEP; sum = sum + step; }
      if (sum != 0) error();
    }`,
    ['STEP', '0', '1'],
  ),
  'a constraint that an earlier path dropped does not close a later one': pair(
    `void foo(void) {
      int a = 0, b = 0;
      while (nondet()) {
        while (nondet()) { if (nondet()) break; b = NEXT; }
        a = b;
      }
      if (a != 0) error();
    }`,
    ['NEXT', 'b + 0', 'b + 1'],
  ),
  'constraints that are inductive only together fall together': pair(
    `void foo(void) {
      int left = 0, right = 0, source = 0;
      while (nondet()) { if (nondet()) left = source; else if (source < 5) source = source + STEP; }
      if (left != right) error();
    }`,
    ['STEP', '0', '1'],
  ),
  'a branch with both sides covered still keeps what they need': pair(
    `void foo(int a, int b, int c) {
      int time, other;
      time = 0; other = 1;
      if (a > 0) { time = time + 4; other = other + 2; } else { time = time + 4; other = other + 3; }
      if (b > 0) { time = time + 3; other = other + 4; } else { time = time + 3; other = other + 5; }
      if (c > 0) { time = time + 1; other = other + 4; } else { time = time + LAST; other = other + 5; }
      if (time > 8) error();
    }`,
    ['LAST', '1', '2'],
  ),
  'two reasons for one infeasible path are both kept': pair(
    `void foo(int a, int b) {
      int x = 0, y = 0;
      if (a > 0) x = 1;
      if (b > 0) y = MARK;
      if (a <= 0 && x == 1) error();
      if (b <= 0 && y == 1) error();
      if (b > 0 && y != 1) error();
    }`,
    ['MARK', '1', '2'],
  ),
  'a variable that is assigned again is another one': pair(
    `void foo(int a) {
      int old, limit;
      limit = 10; old = a;
      if (old > limit) old = limit;
      a = OTHER;
      if (a > limit) a = limit;
      if (old > 10 || a > 10) error();
    }`,
    ['OTHER', 'a + 1', '11; limit = 11'],
  ),
};

function pair(text: string, [word, safe, unsafe]: readonly [string, string, string]): readonly [string, string] {
  return [text.replace(word, safe), text.replace(word, unsafe)];
}

const variants: Readonly<Record<string, Partial<MinimaxOptions>>> = {
  usual: {},
  'loops followed': { decidedRounds: () => 130 },
  halves: { interpolants: 'halves' },
  subset: { interpolants: 'subset' },
  'equations whole': { equations: 'whole' },
  'infeasible successors first': { order: 'infeasible-first' },
  'in the order of the text': { order: 'text' },
};

describe.each(Object.entries(traps))('%s', (_, [safe, unsafe]) => {
  test.each(Object.entries(variants))('%s', async (_name, options) => {
    expect((await treeOf(safe, options)).answer).toBe('certified');
    expect((await treeOf(unsafe, options)).answer).toBe('fails');
  });

  test('without interpolants, which close no loop', async () => {
    const options = { interpolants: 'none', nodes: 60 } as const;
    expect(['certified', 'unknown']).toContain((await treeOf(safe, options)).answer);
    expect(['fails', 'unknown']).toContain((await treeOf(unsafe, options)).answer);
  });
});
