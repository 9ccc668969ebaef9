/** Bytes of pointers beside the numbers that programs make of pointers: both are addresses. */
import { verify } from '../../../src/index';
import { loadProgram } from '../../../src/program';
import { Machine } from '../../../src/semantics';
import { file, task } from '../../engines/task';
import { inLongForm } from '../../long';

const head = `
  #include <assert.h>
  #include <stdint.h>
  #include <string.h>
  uintptr_t any(void);
  int a[4];
`;

const sameNumbers = `
  int main(void) {
    uintptr_t u = (uintptr_t)a - 8;
    int *q;
    memcpy(&q, &u, sizeof q);
    assert((uintptr_t)q == u);
    q += 2;
    assert(q == a);
    union { uintptr_t number; int *pointer; } both;
    both.pointer = (int *)((uintptr_t)a - sizeof *a);
    assert(both.number == (uintptr_t)a - sizeof *a);
    both.number += sizeof *a;
    assert(both.pointer == a);
    *both.pointer = 4;
    void *filled;
    memset(&filled, 0x80, sizeof filled);
    assert((uintptr_t)filled == (uintptr_t)0x8080808080808080u);
    return a[0];
  }`;

describe.each(['lp64', 'ilp32'] as const)('in %s', (dataModel) => {
  test.each(['reference', 'compiled'] as const)('a run has one number for a pointer, %s', (execution) => {
    const program = loadProgram([file(head + sameNumbers)], { dataModel, externals: 'any' });
    const outcome = new Machine(program, { execution }).call(program.functionByName.get('main')!, []);
    expect(outcome).toMatchObject({ kind: 'returned' });
  });
});

test.each([
  [
    'in a union',
    'char c[4] = {7, 8}; union { char *p; unsigned long n; } u; u.p = c; u.n -= 1; u.p = u.p + 1; assert(u.p == c);',
    'proved',
  ],
  [
    'copied there and back',
    'int *p = a, *q; unsigned long n; memcpy(&n, &p, sizeof n); n -= 8; memcpy(&q, &n, sizeof q); q += 2; ' +
      'assert(q != a);',
    'bug',
  ],
  [
    'in an array that is one of pointers, too',
    'static char c[4]; static char *t[2]; t[1] = c; ((unsigned long *)t)[1] -= 8; t[1] += 8; assert(t[1] == c);',
    'proved',
  ],
  [
    'in memory without a type',
    'void *m = malloc(8); char **t = m; unsigned long *n = m; char c; *t = &c; *n -= 4; *t += 4; assert(*t != &c);',
    'bug',
  ],
])('a number without a conversion, %s', async (_, body, expected) => {
  const text = `${head} #include <stdlib.h>\n int main(void) { ${body} return 0; }`;
  const verdict = await verify(task(file(text), { mode: 'program', budget: { milliseconds: 60_000 } }));
  expect(verdict.kind).toBe(expected);
});

test.each([
  ['in a union', 'union { uintptr_t u; char *p; } w; w.u = any(); assert((uintptr_t)w.p == w.u);', 'proved'],
  [
    'with a sign that it has not',
    'uintptr_t u = any(); if (u != 0x80000000u) return 0; void *p; memcpy(&p, &u, sizeof p); ' +
      'assert((uintptr_t)p == 0xffffffff80000000u);',
    'bug',
  ],
  ['unlike itself', 'int *p = a; uintptr_t u; memcpy(&u, &p, sizeof u); assert(u != (uintptr_t)p);', 'bug'],
])('a number %s as a pointer', async (_, body, expected) => {
  const text = `${head} int main(void) { ${body} return 0; }`;
  const verdict = await verify(
    task(file(text), { mode: 'program', load: { externals: 'any' }, budget: { milliseconds: 60_000 } }),
  );
  expect(verdict.kind).toBe(expected);
});

test.each([
  [
    'filled with bytes',
    'static char *p; void set(int x) { memset(&p, x, sizeof p); } ' +
      'int check(void) { char *q = malloc(4); if (!q) return 0; assert(p != q); free(q); return 1; }',
  ],
  [
    'made of a number',
    'static struct { char *p; } t[4]; void set(unsigned i, uintptr_t x) { if (i < 4) t[i].p = (char *)x; } ' +
      'int check(unsigned i) { char *q = malloc(4); if (!q) return 0; if (i < 4) assert(t[i].p != q); free(q); ' +
      'return 1; }',
  ],
])('a pointer that is %s may be the address of an object that is made later', async (_, body) => {
  const verdict = await verify(
    task(file(`${head} #include <stdlib.h>\n ${body}`), { budget: { milliseconds: 5_000 } }),
  );
  expect(verdict.kind).not.toBe('proved');
});

inLongForm('a number copied over a pointer is the one that comes back', async () => {
  const body = 'uintptr_t u = any(); void *p; memcpy(&p, &u, sizeof p); assert((uintptr_t)p == u);';
  const text = `${head} int main(void) { ${body} return 0; }`;
  const verdict = await verify(
    task(file(text), { mode: 'program', load: { externals: 'any' }, budget: { milliseconds: 60_000 } }),
  );
  expect(verdict.kind).toBe('proved');
});
