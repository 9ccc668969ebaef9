/** Numbers that count elements of a static array. */
import { elementCounts } from '../../../../src/abstraction/candidates/statics/elementCounts';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { moduleSystem } from '../../moduleSystem';

const lockers = (release: string): string => `
  static int owner[3];
  static int taken;
  int locker_take(int i, int who) {
    if (i < 0 || i >= 3 || who == 0 || owner[i] != 0) return 0;
    owner[i] = who;
    taken++;
    return 1;
  }
  int locker_release(int i) {
    if (i < 0 || i >= 3) return 0;
    ${release}
    return 1;
  }`;
const right = 'if (owner[i] == 0) return 0; owner[i] = 0; taken--;';

const said = (text: string): readonly string[] => {
  const system = moduleSystem(text);
  const terms = elementCounts(system).get(system.client!) ?? [];
  return terms.map((term) => printTerm(term, system.vocabulary));
};

test('elements that differ from what branches ask of them', () => {
  expect(said(lockers(right))).toEqual([
    'taken == (owner[0] == 0 ? 0 : 1) + (owner[1] == 0 ? 0 : 1) + (owner[2] == 0 ? 0 : 1)',
  ]);
});

test('free elements, where all are free at first', () => {
  const text = `
    struct cell { char mark; };
    static struct cell cells[2];
    static unsigned left = 2;
    int put(unsigned i, char c) {
      if (i >= 2 || c == 0 || cells[i].mark != 0) return 0;
      cells[i].mark = c;
      left--;
      return 1;
    }`;
  expect(said(text)).toEqual(['left == (cells[0].mark == 0 ? 1 : 0) + (cells[1].mark == 0 ? 1 : 0)']);
});

test('none of a counter beside elements that no branch asks about', () => {
  expect(said('static int a[4], n; void put(int x) { if (n < 4) a[n++] = x; }')).toEqual([]);
  expect(said('static int a[4], n; int put(int i) { if (a[i & 3] == 0) return 0; a[i & 3] = 0; return n; }')).toEqual(
    [],
  );
});

test.each([
  [right, 'proved'],
  ['owner[i] = 0; taken--;', 'not proved'],
  ['if (owner[i] == 0) return 0; taken--;', 'not proved'],
])(
  'released by %s: %s',
  async (release, expected) => {
    const { kind } = await verify(
      task(file(lockers(release)), { budget: { milliseconds: expected === 'proved' ? 20_000 : 3_000 } }),
    );
    expect(kind === 'proved' ? kind : 'not proved').toBe(expected);
  },
  60_000,
);
