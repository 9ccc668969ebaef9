/** Two counters that move against each other keep their sum, and what was tested of one before the loop. */
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';

jest.setTimeout(240_000);

const reverse = (test: string, step: string): string => `
  int f(int n, int size) {
    static char to[8], digits[8];
    int at = 0;
    if (n < 0 || n > 8 || size < 0 || size > 8 || ${test}) return -1;
    while (n > 0) to[at++] = digits[${step}];
    to[at] = 0;
    return at;
  }`;

test.each([
  ['n >= size', '--n', 'proved'],
  ['n > size', '--n', 'bug'],
])('what is appended while another counter goes down, unless %s', async (condition, step, expected) => {
  const verdict = await verify(task(file(reverse(condition, step)), { budget: { milliseconds: 60_000 } }));
  expect(verdict.kind).toBe(expected);
});

test.each([
  ['n >= size', 'proved'],
  ['n > size', 'bug'],
])('unsigned, and upwards from a number, unless %s', async (condition, expected) => {
  const text = `
    unsigned f(unsigned n, unsigned size) {
      static char to[11];
      unsigned at = 3;
      if (size > 8 || ${condition}) return 0;
      for (; n != 0; n--) to[at++] = 'x';
      to[at] = 0;
      return at;
    }`;
  const verdict = await verify(task(file(text), { budget: { milliseconds: 60_000 } }));
  expect(verdict.kind).toBe(expected);
});

test.each([
  ['k > n', 'proved'],
  ['k >= n - 1', 'bug'],
])('a lower bound of the one, for what is left of it: %s', async (condition, expected) => {
  const text = `
    void f(int n, int k) {
      if (n <= 0 || !(${condition})) return;
      for (int j = 0; j < n; j++) k--;
      __CPROVER_assert(k >= 0, "");
    }`;
  const verdict = await verify(task(file(text), { budget: { milliseconds: 60_000 }, properties: ['reach'] }));
  expect(verdict.kind).toBe(expected);
});
