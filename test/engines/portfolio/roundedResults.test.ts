/** Relations between rounded results, which bounds alone do not decide: proved, or refuted by an input. */
import { verify } from '../../../src/index';
import { inLongForm } from '../../long';
import { file, task } from '../task';

/** A program with two numbers from 0 to 1000, in order. */
const program = (text: string): string =>
  file(`#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
  if (!(x >= 0.0f && x <= y && y <= 1000.0f)) return 0;
  ${text}
  return 0;
}
`);

async function kindOf(text: string): Promise<string> {
  const given = task(program(text), { mode: 'program', entries: ['main'], load: { externals: 'any' } });
  return (await verify(given)).kind;
}

const middle = 'float m = (x + y) / 2.0f;';
const share = 'if (x == 0.0f) return 0; float p = x / (x + y);';
const square = 'float q = x * x - 2.0f * x + 1.0f;';
const next = 'if (x > 16000.0f) return 0; float s = x + 0.001f;';

test.each([
  ['the middle of two numbers', `${middle} assert(m >= x);`, 'proved'],
  ['the middle is another number', `${middle} if (x < y) assert(m > x);`, 'bug'],
  ['a square', `${square} assert(q >= -1.0f);`, 'proved'],
  ['a square is positive', `${square} assert(q > 0.0f);`, 'bug'],
])('%s', async (_, text, expected) => {
  expect(await kindOf(text)).toBe(expected);
});

for (const [title, text, expected] of [
  ['the middle lies between both', `${middle} assert(m >= x && m <= y);`, 'proved'],
  ['the middle lies inside', `${middle} if (x < y) assert(m > x && m < y);`, 'bug'],
  ['a share is less than one', `${share} assert(p < 1.0f);`, 'bug'],
  ['a small step', `${next} assert(s > x);`, 'proved'],
  ['a step that is too small', `${next} assert(s - x > 0.0009f);`, 'bug'],
] as const)
  inLongForm(title, async () => {
    expect(await kindOf(text)).toBe(expected);
  });
