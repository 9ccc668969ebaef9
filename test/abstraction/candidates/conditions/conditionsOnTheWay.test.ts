/** What was tested on the only way to a loop or a call, and is not changed behind the test. */
import { conditionsOnTheWay } from '../../../../src/abstraction/candidates/conditions/conditionsOnTheWay';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { moduleSystem } from '../../moduleSystem';

/** At the loops of `f`, in the order of the text. */
function atLoops(text: string): readonly (readonly string[])[] {
  const system = moduleSystem(`void g(int);\n${text}`);
  return system.points
    .filter(({ fn, kind }) => fn.name === 'f' && kind === 'loop')
    .sort((a, b) => a.location.index - b.location.index)
    .map((point) => (conditionsOnTheWay(system).get(point) ?? []).map((term) => printTerm(term, system.vocabulary)));
}

test.each([
  [
    'a parameter',
    'int f(int n, int m) { if (n > 9) return 0; for (int i = 0; i < 3; i++) m += i; return n + m; }',
    [['n <= 9']],
  ],
  [
    'what a call returned',
    'int h(int); int h(int x) { return x; } int f(int a) { int n = h(a); if (n < 4) return 0; int s = 0; ' +
      'for (int i = 0; i < a; i++) s ^= i; return n + s; }',
    [['n >= 4']],
  ],
  [
    'both sides of a test lead there',
    'int f(int n) { int s = 0; if (n > 9) s = 1; for (int i = 0; i < 3; i++) s ^= i; return n + s; }',
    [[]],
  ],
  [
    'a variable that changes',
    'int f(int n) { if (n > 9) return 0; int s = 0; for (; n < 12; n++) s ^= n; return s; }',
    [[]],
  ],
  [
    'static data',
    'static int kept; int f(int n) { if (kept > 9) return 0; int s = 0; for (int i = 0; i < 3; i++) s ^= i; ' +
      'kept = n; return s + kept; }',
    [['kept <= 9']],
  ],
  [
    'static data that is assigned behind the test',
    'static int kept; int f(int n) { if (kept > 9) return 0; kept = n; int s = 0; ' +
      'for (int i = 0; i < 3; i++) s ^= i; return s + kept; }',
    [[]],
  ],
  [
    'a member of a row, which may be written behind the test',
    'struct row { int id; unsigned used; }; static struct row rows[4]; ' +
      'int f(unsigned r, unsigned n) { if (r > 3) return 0; if (n > 32 - rows[r].used) return 0; unsigned s = 0; ' +
      'for (unsigned i = 0; i < n; i++) s ^= i; rows[r].used += n; return (int)s; }',
    [['r <= 3', expect.stringMatching(/^n <= 32 - .*used$/)]],
  ],
  [
    'a test within a loop of another loop',
    'int f(int n, int m) { int s = 0; for (int i = 0; i < m; i++) { if (n > 9) continue; ' +
      'for (int k = 0; k < 3; k++) s ^= n; } return s; }',
    [[], ['i < m', 'n <= 9']],
  ],
  [
    'the condition of a loop, in a loop within it',
    'int f(int m, int x) { int s = 0; for (int i = 0; i < m; i++) while (s < x) s += 2; return s; }',
    [[], ['i < m']],
  ],
  [
    'a variable that the inner loop changes, too',
    'int f(int m, int x) { int s = 0; for (int i = 0; i < m; i++) while (s < x) { s += 2; i++; } return s; }',
    [[], []],
  ],
  [
    'a way around the test',
    'int f(int n, int m) { int s = 0; if (m > 2) goto in; while (n < m) { n++; in: ' +
      'for (int k = 0; k < 3; k++) s ^= n; } return s; }',
    [[], []],
  ],
])('%s', (_, text, expected) => {
  expect(atLoops(text)).toEqual(expected);
});
