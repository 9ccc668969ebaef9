/** What may jump out of a function is not proved; what cannot reach a jump is, in the same file. */
import { verify } from '../../../src/index';
import { file, task } from '../task';

const jumping = file(`#include <setjmp.h>
#include <assert.h>
static jmp_buf place;
static void fail(void) { longjmp(place, 1); }
int guarded(int n) { if (setjmp(place)) return -1; if (n < 0) fail(); assert(n >= 0); return n; }
int plain(int n) { int m = n < 0 ? 0 : n; assert(m >= 0); return m; }
`);

test('functions that reach a jump', async () => {
  expect(await verify(task(jumping, { entries: ['guarded'] }))).toMatchObject({
    kind: 'unknown',
    reason: {
      cause: 'unsupported-construct',
      message: expect.stringContaining('guarded calls setjmp') as string,
      place: { line: 5 },
    },
    // Formulas know nothing of the jump, so not even what needs no invariant is proved by them.
    checks: expect.not.arrayContaining([expect.objectContaining({ status: 'proved' })]) as unknown,
  });
});

test('functions beside them', async () => {
  expect((await verify(task(jumping, { entries: ['plain'] }))).kind).toBe('proved');
});

test('an execution that fails is a bug, and nothing else is proved', async () => {
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
    checks: [
      { status: 'fails', place: { line: 7 } },
      { status: 'open', reason: { cause: 'unsupported-construct' }, place: { line: 8 } },
    ],
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
