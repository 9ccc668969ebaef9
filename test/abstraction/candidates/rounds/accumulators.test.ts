/** What loops add up stays between multiples of the rounds; and where it does not, nothing is proved. */
import { verify } from '../../../../src/index';
import { accumulators } from '../../../../src/abstraction/candidates/rounds/accumulators';
import { startsBetween } from '../../../../src/abstraction/candidates/rounds/loopRounds';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../../src/program/index';
import { defaultProperties } from '../../../../src/program/command';
import { file, task } from '../../../engines/task';
import { isLong } from '../../../long';

jest.setTimeout(240_000);

const table = 'static const int table[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };\n';

const verdictOf = async (text: string, milliseconds = 60_000) =>
  verify(
    task(file(table + text), {
      mode: 'module',
      properties: ['reach', 'memsafety', 'overflow'],
      budget: { milliseconds },
    }),
  );

test.each([
  [
    'of a table',
    'int f(int m, int d) { if (m < 0 || m > 11 || d < 1 || d > 31) return -1; int s = d; ' +
      'for (int i = 0; i < m; i++) s += table[i]; return s + 2147483275; }',
  ],
  [
    'downwards',
    'int f(unsigned m) { int s = -2147483640 + 372; for (int i = m % 13; i > 0; i--) s -= table[i - 1]; return s; }',
  ],
  [
    'in steps',
    'int f(int n) { if (n < 0 || n > 1000) return 0; int s = 0; ' +
      'for (int i = 0; i < n; i += 5) s += (n ^ i) & 1023; return s + (2147483647 - 204600); }',
  ],
  [
    'of bytes',
    'int f(int n, int m) { int s = 0; if (n > 8000000) return 0; ' +
      'for (int i = 0; i < n; i++) s += (unsigned char)(m >> (i & 7)); return s; }',
  ],
  [
    'on one side only',
    'int f(int n, int m) { if (n > 100) return 0; int s = 0; for (int i = 0; i < n; i++) if ((i ^ m) & 4) s += ' +
      'm & 7; else s -= 3; return s * 1000000; }',
  ],
  [
    'by a function',
    'static int days(int m) { return m == 1 ? 29 : table[m]; }\n' +
      'long f(int y, int m) { if (y < 1 || y > 9999 || m < 0 || m > 11) return -1; ' +
      'long s = y * 365L + y / 4 - y / 100 + y / 400; for (int i = 0; i < m; i++) s += days(i); ' +
      'return s + 9223372036851120000; }',
  ],
  [
    'of elements that an earlier loop has set',
    'static int set[1000]; int f(int n, int m) { if (n < 0 || n > 1000) return 0; int s = 0; ' +
      'for (int i = 0; i < n; i++) set[i] = (m >> (i & 15)) & 7; for (int i = 0; i < n; i++) s += set[i]; ' +
      'return s + (2147483647 - 7000); }',
  ],
  [
    'of elements that another function has set',
    'static int kept[50]; int put(unsigned i, int v) { if (i >= 50 || v < 0 || v > 1000) return -1; kept[i] = v; ' +
      'return 0; } int f(int n) { if (n < 0 || n > 50) return 0; int s = 0; ' +
      'for (int i = 0; i < n; i++) s += kept[i]; return s + (2147483647 - 50000); }',
  ],
])('a sum %s', async (_, text) => {
  expect((await verdictOf(text)).kind).toBe('proved');
});

test.each([
  [
    'of a table',
    'int f(int m, int d) { if (m < 0 || m > 12 || d < 1 || d > 31) return -1; int s = d; ' +
      'for (int i = 0; i < m; i++) s += table[i]; return s + 2147483275; }',
  ],
  ['without a bound', 'int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) s += m & 1023; return s; }'],
  [
    'in steps',
    'int f(int n) { if (n < 0 || n > 1000) return 0; int s = 0; ' +
      'for (int i = 0; i < n; i += 5) s += (n ^ i) & 1023; return s + (2147483647 - 99000); }',
  ],
  [
    'of elements that an earlier loop has set',
    'static int set[1000]; int f(int n, int m) { if (n < 0 || n > 1000) return 0; int s = 0; ' +
      'for (int i = 0; i < n; i++) set[i] = (m >> (i & 15)) & 7; for (int i = 0; i < n; i++) s += set[i]; ' +
      'return s + (2147483647 - 6999); }',
  ],
  [
    'of elements that another function has set',
    'static int kept[50]; int put(unsigned i, int v) { if (i >= 50 || v < 0 || v > 1000) return -1; kept[i] = v; ' +
      'return 0; } int f(int n) { if (n < 0 || n > 50) return 0; int s = 0; ' +
      'for (int i = 0; i < n; i++) s += kept[i]; return s + (2147483647 - 49999); }',
  ],
])('a sum %s that is too large is not proved', async (_, text) => {
  expect((await verdictOf(text, isLong ? 6_000 : 3_000)).kind).not.toBe('proved');
});

const walks = 'int walks(const char *s) { int i = 0; while (s[i]) i++; return i; }\n';

function systemOf(text: string): TransitionSystem {
  const program = loadProgram([file(text)], { externals: 'any' });
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ library }) => !library),
    checkedProperties: new Set(defaultProperties),
  });
}

/** The heads of the loops of `f` at which something is said of sums. */
const headsWithSums = (text: string): number =>
  [...accumulators(systemOf(text)).keys()].filter(({ fn, kind }) => fn.name === 'f' && kind === 'loop').length;

test.each([
  ['that is set before a call', 'int n = 1; int end = walks(s); for (int i = 0; i < end; i++) if (s[i] == 44) n++;'],
  ['in a loop whose condition calls', 'int n = 1; for (int i = 0; i < walks(s); i++) if (s[i] == 44) n++;'],
  ['along a pointer', 'int n = 1; for (; *s; s++) if (*s == 44) n++;'],
])('what a loop adds to a number %s has bounds', (_, body) => {
  expect(headsWithSums(`${walks}int f(const char *s) { ${body} return n; }`)).toBe(1);
});

test('a number that an earlier loop changes has no bounds where the next one starts', () => {
  const system = systemOf(
    'int f(int m) { unsigned n = 1; for (int i = 0; i < m; i++) n *= 3; ' +
      'for (int i = 0; i < m; i++) n ^= 1; return n; }',
  );
  const [first, second] = system.points.filter(({ kind }) => kind === 'loop');
  const n = system.vocabulary.symbolsFor(first!.fn).find(({ name }) => /:n#/.test(name))!;
  expect(startsBetween(n, first!, system, 'signed')).toEqual({ low: 1n, high: 1n });
  expect(startsBetween(n, second!, system, 'signed')).toEqual({});
});
