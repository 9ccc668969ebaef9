/** Jumps that proofs know, and those that they do not; what cannot reach one is proved in the same file. */
import { verify } from '../../../src/index';
import { file, task } from '../task';

const jumping = file(`#include <setjmp.h>
#include <assert.h>
static jmp_buf place;
static void fail(void) { longjmp(place, 1); }
int guarded(int n) { if (setjmp(place)) return -1; if (n < 0) fail(); assert(n >= 0); return n; }
int plain(int n) { int m = n < 0 ? 0 : n; assert(m >= 0); return m; }
`);

const recursive = file(`#include <setjmp.h>
static jmp_buf place;
static void fail(void) { longjmp(place, 1); }
int recursive(int n) { if (setjmp(place)) return -1; if (n > 0) recursive(n - 1); if (n < 0) fail(); return n; }
int plain(int n) { int m = n < 0 ? 0 : n; return 8 / (m / 2 + 1); }
`);

test('a function that goes on behind its setjmp is proved', async () => {
  expect((await verify(task(jumping, { entries: ['guarded'] }))).kind).toBe('proved');
});

test('functions that jump into one that may call itself are not', async () => {
  expect(await verify(task(recursive, { entries: ['recursive'] }))).toMatchObject({
    kind: 'unknown',
    reason: {
      cause: 'unsupported-construct',
      message: expect.stringContaining('recursive calls setjmp') as string,
      place: { line: 4 },
    },
    // Formulas know nothing of the jump, so not even what needs no invariant is proved by them.
    checks: expect.not.arrayContaining([expect.objectContaining({ status: 'proved' })]) as unknown,
  });
});

test('functions beside them', async () => {
  expect((await verify(task(recursive, { entries: ['plain'] }))).kind).toBe('proved');
});

test('a jump to an assertion that fails is a bug', async () => {
  const verdict = await verify(
    task(
      file(`#include <setjmp.h>
#include <assert.h>
static jmp_buf place;
static void leave(void) { longjmp(place, 1); }
int main(void) {
  volatile int x = 0;
  if (setjmp(place)) { assert(x == 0); return 0; }
  assert(x == 0);
  x = 1;
  leave();
  return 0;
}`),
      { mode: 'program', entries: ['main'] },
    ),
  );
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { check: 'assertion', place: { line: 7 } } },
  });
});

test('a jump to a function that has returned', async () => {
  const gone = file(`#include <setjmp.h>
static jmp_buf place;
static int set(void) { return setjmp(place); }
int main(void) { if (!set()) longjmp(place, 1); return 0; }
`);
  const verdict = await verify(task(gone, { mode: 'program', entries: ['main'] }));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'invalid-call' } } });
});
