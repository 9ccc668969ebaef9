/**
 * What a proof says of checks that nothing comes to: they hold, and a remark says why; where an assumption keeps
 * everything from them there is no proof.
 */
import { verify } from '../../../src';
import { defaultProperties } from '../../../src/program/command';
import type { Task } from '../../../src/task';
import { file, task } from '../task';

const mode = (when: string): string => `#include <assert.h>
static int mode;
void set(int m) { if (m >= 0 && m < 3) mode = m; }
int step(void) {
  if (mode ${when}) assert(mode < 3);
  return mode;
}
`;

test('an assertion that is never reached is remarked on, one that is reached is not', async () => {
  const remarks = async (when: string): Promise<readonly string[]> => {
    const verdict = await verify(task(file(mode(when)), { budget: { milliseconds: 120_000 } }));
    expect(verdict.kind).toBe('proved');
    return verdict.remarks.filter((remark) => remark.includes('never reached'));
  };
  expect(await remarks('== 5')).toEqual([expect.stringMatching(/^the assertion .* at [^/\s]+\.c:5 is never reached$/)]);
  expect(await remarks('== 2')).toEqual([]);
});

test('unreachable assertions get a remark, unless their property was not asked for', async () => {
  const program = (body: string): string =>
    file(`#include <assert.h>
int __VERIFIER_nondet_int(void);
static void wait_for(int c) { while (!c) { } }
int main(void) {
  int a[4], x = __VERIFIER_nondet_int();
  for (int i = 0; i < 4; i++) a[i] = x;
  ${body}
  return a[3] > 2;
}
`);
  const remarks = async (
    body: string,
    properties: Task['properties'] = defaultProperties,
  ): Promise<readonly string[]> => {
    const verdict = await verify(
      task(program(body), { mode: 'program', properties, budget: { milliseconds: 120_000 } }),
    );
    expect(verdict.kind).toBe('proved');
    return verdict.remarks.filter((remark) => remark.includes('never reached'));
  };
  const dead = [expect.stringMatching(/^the assertion x == 4 at [^/\s]+\.c:7 is never reached$/)];
  expect(await remarks('if (x > 5) { if (x < 3) assert(x == 4); }')).toEqual(dead);
  expect(await remarks('wait_for(x > 5 && x < 3); assert(x == 4);')).toEqual(dead);
  expect(await remarks('if (x > 5) assert(x != 4);')).toEqual([]);
  expect(await remarks('if (x > 5) assert(x == 4);', ['memsafety'])).toEqual([]);
});

test('an assumption that the states which calls lead to contradict makes a proof of nothing', async () => {
  const assumed = (what: string): string =>
    mode('< 3')
      .replace('  if (mode < 3)', `  __VERIFIER_assume(${what});\n  if (mode < 3)`)
      .replace('static int mode;', 'void __VERIFIER_assume(int);\nstatic int mode;');
  expect(await verify(task(file(assumed('mode == 5')), { budget: { milliseconds: 120_000 } }))).toMatchObject({
    kind: 'unknown',
    reason: { cause: 'vacuous' },
  });
  expect(await verify(task(file(assumed('mode == 2')), { budget: { milliseconds: 120_000 } }))).toMatchObject({
    kind: 'proved',
  });
});
