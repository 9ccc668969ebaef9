/** What loops add up stays between multiples of the rounds; and where it does not, nothing is proved. */
import { verify } from '../../../src/index';
import { file, task } from '../../engines/task';
import { isLong } from '../../long';

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
])('a sum %s that is too large is not proved', async (_, text) => {
  expect((await verdictOf(text, isLong ? 6_000 : 3_000)).kind).not.toBe('proved');
});
