/** Which bits a NaN has C leaves open, and the evaluator does not keep them: no proof and no bug hangs on them. */
import { verify } from '../../../src/index';
import { ifLong } from '../../long';
import { file, task } from '../task';

const header = `#include <assert.h>
#include <math.h>
#include <string.h>
double nondet_double(void);
static unsigned long bits(double x) { unsigned long u; memcpy(&u, &x, sizeof u); return u; }
`;
const decided = async (body: string, milliseconds = 1000): Promise<string> =>
  (
    await verify(
      task(file(`${header}int main(void) { ${body} return 0; }`), {
        mode: 'program',
        properties: ['reach'],
        budget: { milliseconds },
      }),
    )
  ).kind;

test.each<readonly [what: string, made: string, sign: string]>([
  ...ifLong<readonly [what: string, made: string, sign: string]>(
    ['a constant', 'double x = 0.0 / 0.0;', 'bits(x) >> 63'],
    ['a constant with its sign changed', 'double x = -NAN;', 'bits(x) >> 63'],
  ),
  ['a quotient', 'double zero = 0, x = zero / zero;', 'bits(x) >> 63'],
  [
    'a quotient of inputs',
    'double zero = nondet_double(); if (zero != 0) return 0; double x = zero / zero;',
    'signbit(x)',
  ],
])('the sign of %s may be either', async (_, made, sign) => {
  expect(['proved', 'bug']).not.toContain(await decided(`${made} assert(${sign});`));
  expect(['proved', 'bug']).not.toContain(await decided(`${made} assert(!(${sign}));`));
});

test.each([
  ['copysign', 'assert(signbit(copysign(NAN, -1.0)));'],
  ['fabs', 'assert(!signbit(fabs(-NAN)));'],
  ['a change of the sign', 'double x = nondet_double(); assert(!signbit(x) != !signbit(-x));'],
])('%s says what the sign is, and no bug is made of it', async (_, body) => {
  expect(await decided(body)).not.toBe('bug');
});

test.each<readonly [string, string, string]>([
  ...ifLong<readonly [string, string, string]>(['a variable', 'static double open = 0.0 / 0.0;', 'open']),
  ['a constant', 'static const double open = -NAN;', 'open'],
  ['a member', 'static struct { char *name; float of[2]; } open = { "x", { 1, -NAN } };', 'open.of[1]'],
])('static data that begins as a NaN of which C leaves the bits open: %s', async (_, data, open) => {
  const asked = async (condition: string): Promise<string> => {
    const text = `${header}${data}\nvoid check(int i) { if (i == 7) assert(${condition}); }`;
    return (await verify(task(file(text), { properties: ['reach'], budget: { milliseconds: 1000 } }))).kind;
  };
  expect(['proved', 'bug']).not.toContain(await asked(`bits(${open}) >> 63`));
  expect(['proved', 'bug']).not.toContain(await asked(`!(bits(${open}) >> 63)`));
  expect(await asked(`${open} == ${open}`)).toBe('bug');
});

test('what is asked of a NaN as a number is decided', async () => {
  expect(await decided('double x = nondet_double(); assert(floor(x) <= x);', 10_000)).toBe('bug');
  expect(await decided('double x = 0.0 / 0.0; assert(x != x && isnan(floor(x)) && fmax(x, 1) == 1);', 10_000)).toBe(
    'proved',
  );
});

test('which of two zeros is the greater is open', async () => {
  const zeros = 'double x = nondet_double(), y = nondet_double(); if (x != 0 || y != 0) return 0;';
  expect(await decided(`${zeros} if (!signbit(x) || !signbit(y)) assert(!signbit(fmax(x, y)));`)).not.toBe('proved');
  expect(await decided(`${zeros} if (signbit(x) || signbit(y)) assert(signbit(fmin(x, y)));`)).not.toBe('proved');
  expect(await decided(`${zeros} assert(fmax(x, y) == 0 && fmin(x, y) == 0);`, 10_000)).toBe('proved');
});
