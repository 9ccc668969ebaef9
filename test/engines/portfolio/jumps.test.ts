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
  });
});

test('functions beside them', async () => {
  expect((await verify(task(jumping, { entries: ['plain'] }))).kind).toBe('proved');
});
