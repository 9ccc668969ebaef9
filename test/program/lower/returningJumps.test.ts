/** `longjmp` as returns: which programs are changed, and that they compute the same. */
import * as fc from 'fast-check';
import { readCText, readLibraryUnit } from '../../../src/c';
import { lower, type Program } from '../../../src/program';
import { resultsOf } from './callsOf';

jest.setTimeout(300_000);

const loaded = (text: string, returnsFromJumps?: 'program' | 'module'): Program =>
  lower(readCText(`#include <setjmp.h>\n#include <stdlib.h>\n${text}`, 'test.c').units, {
    dataModel: 'lp64',
    externals: 'any',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
    ...(returnsFromJumps && { returnsFromJumps }),
  });

const isChanged = (text: string): boolean =>
  loaded(text, 'module').functions.some(({ hasReturningJumps }) => hasReturningJumps);

const functions = `
  static jmp_buf here, there; static jmp_buf *top; static jmp_buf rows[2]; static int calls, *last;
  static void leave(int v) { calls++; longjmp(here, v); }
  static int checked(int n, int m) {
    int local = n; last = &local;
    if (n > m) leave(n - m - 1);
    last = &calls;
    return n;
  }
  int plain(int n, int m) { int r = setjmp(here); if (r) return -r; return checked(n, m) + checked(m, n); }
  int steps(int n, int m) { volatile int at = 0; if (setjmp(here) == 0) { at = 1; checked(n, m); at = 2; } return at; }
  int again(int n, int m) { volatile int left = m; setjmp(here); if (left-- > n && left < 5) leave(1); return left; }
  static void thrown(int v) { longjmp(*top, v); }
  static int inner(int n) {
    jmp_buf mine; jmp_buf *before = top; int caught;
    top = &mine;
    if ((caught = setjmp(mine)) == 0) { if (n & 1) thrown(n); top = before; return 0; }
    top = before;
    if (n & 2) thrown(caught + 1);
    return caught;
  }
  int nested(int n, int m) {
    jmp_buf outer; int e = setjmp(outer);
    if (e) return 100 + e;
    top = &outer;
    return inner(n) + inner(m);
  }
  int loop(int n, int m) {
    int i, sum = 0, *p = &sum;
    for (i = 0; i < n; i++) {
      *p += i;
      if (setjmp(here)) return i + 10 * *p;
      checked(i, m);
    }
    return *p;
  }
  int kept(int n, int m) {
    int v = m, sum = 2, *p = &sum;
    if (setjmp(here)) return v + 10 * *p;
    if (n & 1) { v = 1; *p = 3; return v; }
    leave(2); return 0;
  }
  int stale(int n, int m) { if (setjmp(there)) return 1; if (n > m) longjmp(here, 1); longjmp(there, 1); }
  int table(int n, int m) { if (setjmp(rows[n & 1])) return 1; if (m > 3) longjmp(rows[m & 1], 2); return 2; }
  int outside(int n, int m) { if (setjmp(rows[n])) return 1; if (m > 3) longjmp(rows[m - 4], 2); return 2; }
  int dangling(int n, int m) { if (setjmp(here)) return *last; return checked(n, m); }
  int unset(int n, int m) { jmp_buf one; if (n > m && setjmp(one)) return 1; if (m > 2) longjmp(one, 1); return 0; }`;

test('both programs compute the same, and fail at the same checks', () => {
  const programs = [loaded(functions), loaded(functions, 'module')];
  expect(
    programs[1]!.functions
      .filter((fn) => fn.hasReturningJumps)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(programs[1]!.functions.map(({ name }) => name).sort());
  const names = ['plain', 'steps', 'again', 'loop', 'kept', 'nested', 'stale', 'table', 'outside', 'dangling'] as const;
  const met = new Set<string>();
  const value = fc.integer({ min: -1, max: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), value, value), { maxLength: 12 }), (calls) => {
      const properties = new Set(['memsafety', 'overflow'] as const);
      const [before, after] = programs.map((program) =>
        // Messages speak of pointers in other words.
        resultsOf(program, calls, (check) => met.add(check), { properties }).map((text) => text.replace(/^.* /, '')),
      );
      expect(after).toEqual(before);
    }),
    { numRuns: 1000 },
  );
  expect([...met].sort()).toEqual(expect.arrayContaining(['array-bounds', 'dereference', 'invalid-call']));
});

test('a place that was never set is no place to jump to', () => {
  const met: string[] = [];
  const told = [loaded(functions), loaded(functions, 'module')].flatMap((program) =>
    (['unset', 'stale'] as const).map((name) =>
      resultsOf(program, [[name, name === 'stale' ? 9 : 0, 3]], (check) => met.push(check)).join(),
    ),
  );
  expect(new Set(met)).toEqual(new Set(['invalid-call']));
  for (const message of told) expect(message).toMatch(/^longjmp to a place that no 'setjmp' has remembered/);
});

const jump = 'static jmp_buf b; static void leave(void) { longjmp(b, 1); }';

test.each([
  ['a static place', `${jump} int f(void) { if (setjmp(b)) return 1; leave(); return 0; }`],
  [
    'a place behind a pointer',
    'static jmp_buf *p; int f(void) { jmp_buf b; p = &b; if (setjmp(b)) return 1; longjmp(*p, 1); }',
  ],
  [
    'a changed scalar',
    `${jump} void g(int *); void g(int *p) { *p = 1; leave(); } int f(void) { int n = 0; if (setjmp(b)) return ` +
      `n; g(&n); return 0; }`,
  ],
  [
    'in a block, by a macro',
    `#define TRY if (setjmp(b)) return x;\n#define THROW leave();\n${jump} ` +
      'int f(int n) { if (n) { int x = n; TRY THROW } return 0; }',
  ],
  [
    'a change between two times',
    `${jump} int f(int n) { for (int i = 0; i < n; i++) { if (setjmp(b)) return i; if (n > i) leave(); } return 0; }`,
  ],
  [
    'an array that is read alone',
    `${jump} int f(int i) { int a[2] = { 1, 2 }; if (setjmp(b)) return a[1]; leave(); return a[i & 1]; }`,
  ],
])('jumps become returns: %s', (_, text) => expect(isChanged(text)).toBe(true));

test.each([
  ['recursion', `${jump} int f(int n) { if (setjmp(b)) return 1; if (n) f(n - 1); leave(); return 0; }`],
  [
    'a function without a body',
    `${jump} void other(void); int f(void) { if (setjmp(b)) return 1; other(); leave(); return 0; }`,
  ],
  [
    'a block of variable length',
    `${jump} int g(int n) { int a[n]; a[0] = 1; leave(); return a[0]; } int f(void) { if (setjmp(b)) return 1; ` +
      `return g(3); }`,
  ],
  [
    'an array that may change',
    `${jump} int f(int i) { int a[2] = { 1, 2 }; if (setjmp(b)) return a[1]; a[i & 1] = 3; leave(); return 0; }`,
  ],
  [
    'a block that may have ended',
    `${jump} int f(int n) { int k = 0; { int x = n; if (setjmp(b)) return x; } if (n > k) leave(); return 0; }`,
  ],
  [
    'another place that may change',
    'int f(int n) { jmp_buf b, c; if (setjmp(b)) longjmp(c, 1); if (setjmp(c)) return n; longjmp(b, 1); }',
  ],
  [
    'a change between two times, with a place that is passed on',
    'static jmp_buf *p; static void leave(void) { longjmp(*p, 1); } int f(int n) { for (int i = 0; i < n; i++) { ' +
      'jmp_buf b; p = &b; if (setjmp(b)) return i; if (n > i) leave(); } return 0; }',
  ],
  ['an exit handler', `${jump} int f(void) { if (setjmp(b)) return 1; atexit(leave); exit(2); }`],
])('programs that stay as they are: %s', (_, text) => expect(isChanged(text)).toBe(false));
