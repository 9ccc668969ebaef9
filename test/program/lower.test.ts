import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { printFunction } from '../../src/program/print';
import { operands, walk, expressionsOf } from '../../src/program/traverse';
import type { Program } from '../../src/program/program';
import { functionOf, programOf, resultOf, type Options } from './programOf';

/** The automaton of `f`, one line per edge. */
function check(text: string, expected: string, options: Options = {}): void {
  expect(
    printFunction(functionOf(programOf(text, options), 'f'))
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .join('\n'),
  ).toBe(
    expected
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .join('\n'),
  );
}

test('a loop over an array: one bounds check, no memory check, no temporary', () => {
  check(
    'int a[8]; int f(int n) { int i; for (i = 0; i < 8 && a[i] != n; i++) a[i] = n; return i; }',
    `
    0 -> 1  i = 0
    1 loop -> 2  assume i < 8
    1 loop -> 7  assume 8 <= i
    2 -> 3  check array-bounds: (0 <= i) & (i < 8)
    3 -> 4  assume *(int32 *)(&a + ((int64)i * 4)) != n
    3 -> 7  assume *(int32 *)(&a + ((int64)i * 4)) == n
    4 -> 5  *(int32 *)(&a + ((int64)i * 4)) = n
    5 -> 6  check signed-overflow: i <= 2147483646
    6 -> 1  i = i + 1
    7 -> 8  <result> = i
    8 exit`,
  );
});

test('operands without effects or checks need no branch', () => {
  check(
    'int f(int a, int b) { return (a > 0 && b > 0) || !a ? a : b; }',
    `
    0 -> 1  <result> = (((0 < a) & (0 < b)) | (a == 0)) ? a : b
    1 exit`,
  );
});

test('a right operand that needs a check is evaluated only when C evaluates it', () => {
  check(
    'int f(int a, int b) { return b && a / b; }',
    `
    0 -> 1  assume b != 0
    0 -> 4  assume b == 0
    1 -> 2  check division-by-zero: b != 0
    2 -> 3  check signed-overflow: (a != -2147483648) | (b != -1)
    3 -> 5  <&&> = (a / b) != 0
    4 -> 5  <&&> = 0
    5 -> 6  <result> = <&&>
    6 exit`,
  );
});

test('a structure through a pointer: what is known to hold is not checked again', () => {
  check(
    'struct s { int a, b; }; void f(struct s *p) { p->a = 1; p->b = p->a; }',
    `
    0 -> 1  check null-dereference: p != null
    1 -> 2  check dereference: (is-live(p) & (0 <= offset-of(p))) & (offset-of(p) <= (object-size(p) - 4))
    2 -> 3  check read-only: is-writable(p)
    3 -> 4  *(int32 *)p = 1
    4 -> 5  check uninitialised-read: is-initialised(p, 4)
    5 -> 6  check dereference: (is-live(p) & (0 <= (offset-of(p) + 4))) & ((offset-of(p) + 4) <= (object-size(p) - 4))
    6 -> 7  *(int32 *)(p + 4) = *(int32 *)p
    7 exit`,
  );
});

test('objects end on every way out of their scope', () => {
  check(
    'void g(int *); void f(int n) { while (n) { int x = 1; g(&x); if (x) break; if (n) return; } }',
    `
    0 -> 1  skip
    1 loop -> 2  assume n != 0
    1 loop -> 11  assume n == 0
    2 -> 3  declare x
    3 -> 4  *(int32 *)&x = 1
    4 -> 5  external g(&x)
    5 -> 6  check uninitialised-read: is-initialised(&x, 4)
    6 -> 7  assume *(int32 *)&x != 0
    6 -> 8  assume *(int32 *)&x == 0
    7 -> 11  end x
    8 -> 9  assume n != 0
    8 -> 10  assume n == 0
    9 -> 11  end x
    10 -> 1  end x
    11 exit`,
    { externals: 'any' },
  );
});

test('a call that never returns ends its path', () => {
  check(
    'void exit(int); void die(void) { exit(2); } int f(int x) { if (x) return 1; die(); }',
    `
    0 -> 1  assume x != 0
    0 -> 2  assume x == 0
    1 -> 4  <result> = 1
    2 -> 3  die()
    3 -> 4  halt
    4 exit`,
  );
});

describe('values', () => {
  const cases: readonly (readonly [what: string, code: string, expected: number])[] = [
    [
      'a value is as it was before a later operand changed it',
      'int g = 1; int set(int x) { g = x; return x; } int f(void) { return g * 100 + set(5) * 10 + g; }',
      155,
    ],
    [
      'the place is found before the value is computed',
      'int a[3], i; int next(void) { return i = 2; } int f(void) { a[i] = next(); return a[0] * 10 + a[2]; }',
      20,
    ],
    [
      'arguments are evaluated in order, each kept',
      'int g; int up(void) { return ++g; } int three(int a, int b, int c) { return a * 100 + b * 10 + c; } ' +
        'int f(void) { return three(up(), g, up()); }',
      112,
    ],
    [
      'a structure argument is the value at its turn',
      'struct s { int v; } s = {1}; int set(void) { s.v = 9; return 0; } ' +
        'int get(struct s x, int y) { return x.v + y; } int f(void) { return get(s, set()); }',
      1,
    ],
    [
      'structures are copied in and out',
      'struct s { int v[3]; }; struct s make(int x) { struct s s = {{x, x + 1}}; return s; } ' +
        'int f(void) { struct s a = make(3), b = a; b.v[0] = 7; ' +
        'return a.v[0] * 100 + b.v[0] * 10 + make(4).v[1]; }',
      375,
    ],
    [
      'recursion keeps its structures apart',
      'struct s { int v; }; struct s down(int n) { struct s s = {n}; if (n > 0) s.v += down(n - 1).v; ' +
        'return s; } int f(void) { return down(4).v; }',
      10,
    ],
    [
      'a conditional of structures',
      'struct s { int v; } a = {1}, b = {2}; int f(void) { int k = 1; return (k ? a : b).v * 10 + (k > 1 ? a : b).v; }',
      12,
    ],
    [
      'post- and pre-increments',
      'int f(void) { int a[2] = {5, 6}, *p = a; int x = *p++; x = x * 10 + *p; int y = --*p; y += (*p)--; ' +
        'return x * 10 + y + *p; }',
      574,
    ],
    [
      'compound assignment through an expression that moves',
      'int a[3] = {1, 2, 3}; int f(void) { int i = 0; a[i++] += 10; a[i++] *= 2; return a[0] * 100 + a[1] * 10 + i; }',
      1142,
    ],
    [
      'narrow types wrap where C says',
      'int f(void) { unsigned char c = 250; c += 10; signed char s = (signed char)200; return c * 1000 + s; }',
      3944,
    ],
    ['_Bool holds truth', 'int f(void) { _Bool b = 256; b += 5; double d = 0.5; _Bool e = d; return b * 10 + e; }', 11],
    ['GNU a ?: b', 'int g; int up(void) { return ++g; } int f(void) { return (up() ?: 9) * 10 + (0 ?: 7); }', 17],
    [
      'statement expressions, with a loop and a jump inside',
      'int f(void) { int n = 3; int s = n + ({ int t = 0; while (n > 0) { t += n--; if (t > 4) break; } t; }); ' +
        'return s * 10 + n; }',
      81,
    ],
    [
      'statement expressions of structure type',
      'struct s { int v; }; int f(void) { return ({ struct s s = {4}; s; }).v; }',
      4,
    ],
    [
      'short circuits with effects',
      'int g; int up(void) { return ++g; } int f(void) { int r = (up() && 0) || up(); return r * 10 + g; }',
      12,
    ],
    [
      'bit-fields',
      'struct s { int a : 3; unsigned b : 7; _Bool c : 1; int : 0; long d : 40; } s; ' +
        'int f(void) { s.a = 5; s.b = 200; s.c = 2; s.d = -3; ' +
        'return (s.a + 10) * 1000 + s.b * 10 + s.c + (int)s.d; }',
      7000 + 720 + 1 - 3,
    ],
    [
      'a union looks at the same bytes',
      'int f(void) { union { unsigned u; unsigned char b[4]; } x; x.u = 0x01020304; return x.b[0] * 10 + x.b[3]; }',
      41,
    ],
    [
      'designated and partial initialisers, the later one wins',
      'int f(void) { int a[6] = {[4] = 1, 2, [0] = 3, 4, [1] = 5}; ' +
        'return a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[4] + a[5]; }',
      3503,
    ],
    [
      'strings in arrays',
      'int f(void) { char a[] = "hi", b[8] = "a string", c[20] = "x"; return sizeof a * 1000 + b[7] + c[19]; }',
      3103,
    ],
    [
      'a long string',
      'int f(void) { char a[] = "0123456789012345678901234567890123456789"; return a[39] + a[40]; }',
      57,
    ],
    [
      'static data with addresses',
      'int x[3] = {1, 2, 3}; struct s { int *p; char *t; int (*g)(void); }; int seven(void) { return 7; } ' +
        'struct s s = { &x[1], "ab" + 1, seven }; int f(void) { return *s.p * 1000 + *s.t + s.g(); }',
      2000 + 98 + 7,
    ],
    [
      'compound literals',
      'int sum(int *p, int n) { int s = 0; while (n--) s += *p++; return s; } ' +
        'int f(void) { int *p = (int[]){1, 2, 3}; p[0] = 4; return sum(p, 3) * 10 + (int){5}; }',
      95,
    ],
    ['a static compound literal', 'int *p = (int[]){1, 2, 3}; int f(void) { return p[2]; }', 3],
    ['static locals', 'int count(void) { static int n = 4; return ++n; } int f(void) { count(); return count(); }', 6],
    [
      'address-taken parameters',
      'void set(int *p) { *p = 8; } int g(int x) { set(&x); return x; } ' +
        'int f(void) { int y = 1; return g(y) * 10 + y; }',
      81,
    ],
    [
      'variable arguments',
      '#include <stdarg.h>\nstruct s { int a, b, c; }; int sum(int n, ...) { va_list l, m; va_start(l, n); ' +
        'va_copy(m, l); long s = 0; while (n--) s += va_arg(l, int); s += va_arg(l, double); ' +
        's += va_arg(l, struct s).c; s += va_arg(m, int) * 1000; va_end(l); va_end(m); return s; } ' +
        'int f(void) { struct s s = {1, 2, 3}; return sum(2, 10, 20, 4.5, s); }',
      10037,
    ],
    [
      'bit counting',
      'int f(void) { return __builtin_popcount(0xf0f0) * 10000 + __builtin_clz(1) * 100 + ' +
        '__builtin_ctzl(1L << 40) + __builtin_ffs(0) + __builtin_parity(7) + ' +
        '(__builtin_bswap32(0x01000000) == 1); }',
      83142,
    ],
    ['comma and void', 'int f(void) { int x = 1; (void)(x = 2, x = 3); return (x++, x); }', 4],
  ];
  test.each(cases)('%s', (_, code, expected) => {
    expect(resultOf(code)).toBe(String(expected));
  });
});

describe('control flow', () => {
  const cases: readonly (readonly [what: string, code: string, expected: string])[] = [
    [
      "Duff's device",
      'int f(void) { int n = 11, i = 0, k = (n + 3) / 4; ' +
        'switch (n % 4) { case 0: do { i++; case 3: i++; case 2: i++; case 1: i++; } while (--k > 0); } ' +
        'return i; }',
      '11',
    ],
    [
      'a switch falls through, and has its default in the middle',
      'int g(int x) { int r = 0; switch (x) { case 1: r += 1; default: r += 10; case 2 ... 4: r += 100; break; ' +
        'case 5: r = 7; } return r; } int f(void) { return g(1) * 1000 + g(9) + g(3) + g(5); }',
      String(111000 + 110 + 100 + 7),
    ],
    [
      'continue runs the step',
      'int f(void) { int s = 0; for (int i = 0; i < 5; i++) { if (i % 2) continue; s += i; } return s; }',
      '6',
    ],
    [
      'continue in do tests the condition',
      'int f(void) { int n = 0; do { n++; if (n < 3) continue; } while (n < 3); return n; }',
      '3',
    ],
    [
      'goto out of two loops',
      'int f(void) { int i, j; for (i = 0; i < 5; i++) for (j = 0; j < 5; j++) if (i * j == 6) goto out; ' +
        'out: return i * 10 + j; }',
      '23',
    ],
    [
      'goto into a block begins its objects',
      'int f(void) { int *p; goto in; { int a[2]; p = a; in: a[1] = 4; return a[1]; } }',
      '4',
    ],
    [
      'goto backwards begins an object anew',
      'int f(void) { int n = 0; again: { int x; int *p = &x; if (n++ < 2) { *p = n; goto again; } return *p; } }',
      'uninitialised-read: *p',
    ],
    [
      'a jump over a declaration leaves the object without a value',
      'int f(void) { int k = 1; if (k) goto over; int a[1]; a[0] = 3; over: return a[0]; }',
      'uninitialised-read: a[0]',
    ],
    [
      'a switch over a declaration',
      'int f(void) { switch (2) { int a[2]; case 2: a[0] = 5; return a[0]; } return 0; }',
      '5',
    ],
    [
      'an object left by goto is dead',
      'int f(void) { int *p; { int x = 3; p = &x; goto out; } out: return *p; }',
      'dereference: *p',
    ],
    [
      'each iteration has its own object',
      'int f(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) return *p; p = &x; } return 0; }',
      'dereference: *p',
    ],
    [
      'a block-scope literal dies with its block',
      'int f(void) { int *p; { p = &(int){3}; } return *p; }',
      'dereference: *p',
    ],
    [
      'memory of alloca dies with its function',
      'void *alloca(unsigned long); int *g(void) { int *p = alloca(4); *p = 1; return p; } ' +
        'int f(void) { return *g(); }',
      'dereference: *g()',
    ],
    [
      'an irreducible loop',
      'int f(void) { int n = 0, k = 1; if (k) goto b; a: n += 10; b: n++; if (n < 30) goto a; return n; }',
      '34',
    ],
    [
      'a computed goto',
      'int f(void) { static void *const t[] = { &&add, &&twice, &&end }; char c[] = { 0, 0, 1, 2 }, *p = c; ' +
        'int n = 1; goto *t[*p++]; add: n++; goto *t[*p++]; twice: n *= 2; goto *t[*p++]; end: return n; }',
      '6',
    ],
    [
      'a label has one address',
      'int f(void) { void *p = &&a, *q = &&b; a: b: return (p == &&a) + 2 * (p == q); }',
      '1',
    ],
    [
      'a computed goto out of a block ends its objects',
      'int f(void) { int *p; { int x = 3; p = &x; goto *&&out; } out: return *p; }',
      'dereference: *p',
    ],
    [
      'a computed goto to what is no label',
      'int f(void) { void *p = 0; if (p) p = &&out; goto *p; out: return 1; }',
      'invalid-call: goto *p;',
    ],
    [
      'a computed goto to a label of another function',
      'static void *g(void) { a: return &&a; } int f(void) { goto *g(); b: return &&b != 0; }',
      'invalid-call: goto *g();',
    ],
    ['a computed goto without a label', 'int f(void) { int x; goto *(void *)&x; }', 'invalid-call: goto *(void *)&x;'],
    ['no object lies at a label', 'int f(void) { a: return *(char *)&&a; }', 'dereference: *(char *)&&a'],
    [
      'conditions of every form',
      'int f(void) { int a = 1, b = 0, n = 0; if (!(a && !b)) n = 1; if ((a ? b : a) || (b, a)) n += 2; ' +
        'while (!(n > 5 || a == 3)) n++; return n; }',
      '6',
    ],
    ['an endless loop', 'int f(void) { for (;;) { } }', 'limit: steps'],
  ];
  test.each(cases)('%s', (_, code, expected) => {
    expect(resultOf(code)).toBe(expected);
  });
});

test('with 32-bit pointers, sizes and offsets are 32 and 16 bits', () => {
  expect(
    resultOf(
      'struct s { char c; long long d; void *p; }; int f(void) { return sizeof(struct s) * 100 + sizeof(long); }',
      { dataModel: 'ilp32' },
    ),
  ).toBe('1604');
  expect(
    resultOf('#include <stdlib.h>\nint f(void) { char *p = malloc(8); p += 32767; p += 1; return 0; }', {
      dataModel: 'ilp32',
    }),
  ).toBe('pointer-arithmetic: p += 1');
  expect(
    resultOf('#include <stdlib.h>\nint f(void) { return calloc(65536, 65536) == 0; }', { dataModel: 'ilp32' }),
  ).toBe('1');
});

describe('laws of automata, on real programs', () => {
  const folder = join(__dirname, '../differential/programs');
  const programs = readdirSync(folder)
    .filter((name) => name.endsWith('.c'))
    .map((name): [string, Program] => [name, programOf(readFileSync(join(folder, name), 'utf8'))]);

  test.each(programs)('%s', (_, program) => {
    for (const fn of program.functions) {
      const reached = new Set([fn.entry]);
      for (const location of reached) for (const { to } of location.edges) reached.add(to);
      for (const location of fn.locations) expect(reached.has(location) || location === fn.exit).toBe(true);
      for (const { from, to, command } of fn.edges) {
        if (to.index <= from.index) expect(to.isLoopHead).toBe(true);
        expect(fn.locations[to.index]).toBe(to);
        for (const expression of expressionsOf(command)) {
          walk(expression, (e) => {
            if (e.kind === 'read' && e.variable.scope === 'local')
              expect(fn.variables[e.variable.slot]).toBe(e.variable);
            if (e.kind === 'address' && e.of.kind === 'frame-object') expect(fn.objects[e.of.slot]).toBe(e.of);
            if (e.kind === 'binary' && !e.operator.startsWith('shift')) expect(e.right.type).toEqual(e.type);
            if (e.kind === 'compare') expect(e.left.type).toEqual(e.right.type);
            if (e.kind === 'conditional') expect([e.then.type, e.otherwise.type]).toEqual([e.type, e.type]);
            expect(operands(e).length).toBeLessThanOrEqual(3);
          });
        }
        if (command.kind === 'assign') expect(command.value.type).toEqual(command.target.type);
        if (command.kind === 'store') expect(command.value.type).toEqual(command.type);
        if (command.kind === 'call') {
          for (const target of command.targets) {
            expect(command.arguments.map(({ type }) => type)).toEqual(target.parameters.map(({ type }) => type));
            if (command.target) expect(command.target.type).toEqual(target.result);
          }
        }
      }
      for (const location of fn.locations) {
        const assumes = location.edges.filter(({ command }) => command.kind === 'assume').length;
        expect(location === fn.exit ? location.edges.length : location.edges.length - Math.max(1, assumes)).toBe(0);
      }
    }
  });
});
