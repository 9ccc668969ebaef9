/**
 * What each undefined behaviour becomes: run on the machine, a program ends at the check that C's rules name, or with
 * gcc's answer.
 */
import { resultOf } from './programOf';

const check = (name: string, cases: readonly (readonly [code: string, expected: string])[]): void => {
  describe(name, () => {
    test.each(cases)('%s', (code, expected) => {
      const whole = code.includes('f(void)') ? code : `int f(void) { ${code} }`;
      expect(resultOf(`#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n${whole}`)).toBe(expected);
    });
  });
};

check('arithmetic', [
  ['int x = 2147483647; return x + 1;', 'signed-overflow: x + 1'],
  ['int x = -2147483647; return x - 2;', 'signed-overflow: x - 2'],
  ['int x = 65536; return x * x;', 'signed-overflow: x * x'],
  ['int x = 65536, y = 32767; return x * y;', '2147418112'],
  ['int x = -2147483647 - 1; return -x;', 'signed-overflow: -x'],
  ['int x = -2147483647 - 1, y = -1; return x / y;', 'signed-overflow: x / y'],
  ['int x = -2147483647 - 1, y = -1; return x % y;', 'signed-overflow: x % y'],
  ['int x = 7, y = 0; return x % y;', 'division-by-zero: x % y'],
  ['long x = 9223372036854775807, y = 1; return x + y;', 'signed-overflow: x + y'],
  ['long x = -9223372036854775807, y = 1; return (x - y) == -9223372036854775807 - 1;', '1'],
  ['long x = -9223372036854775807, y = 2; return x - y;', 'signed-overflow: x - y'],
  ['long x = 9223372036854775807, y = -1; return x - y;', 'signed-overflow: x - y'],
  ['long x = 3037000500, y = 3037000500; return x * y;', 'signed-overflow: x * y'],
  ['long x = 3037000499, y = 3037000499; return x * y == 9223372030926249001;', '1'],
  ['long x = -9223372036854775807 - 1, y = -1; return x * y;', 'signed-overflow: x * y'],
  ['long x = -1, y = -9223372036854775807 - 1; return x * y;', 'signed-overflow: x * y'],
  ['long x = -9223372036854775807 - 1, y = 1; return x * y == x;', '1'],
  ['long x = 5; return x * -3 + x * 2;', '-5'],
  ['long x = -4611686018427387904; return x * 2 == -9223372036854775807 - 1;', '1'],
  ['long x = -4611686018427387905; return x * 2;', 'signed-overflow: x * 2'],
  ['long x = 4611686018427387905; return x * -2;', 'signed-overflow: x * -2'],
  ['unsigned x = 4294967295u; return x + 1 == 0;', '1'],
  ['signed char c = 127; c++; return c;', '-128'],
  ['int i = 2147483647; i++; return i;', 'signed-overflow: i++'],
  ['int i = -2147483647; i -= 2; return i;', 'signed-overflow: i -= 2'],
  ['short s = 32767; s += 1; return s;', '-32768'],
  ['int n = 32; return 1 << n;', 'shift: 1 << n'],
  ['int n = -1; return 1 >> n;', 'shift: 1 >> n'],
  ['long one = 1; int n = 62; return (one << n) > 0;', '1'],
  ['long one = 1; int n = 63; return (one << n) < 0;', 'shift-overflow: (one << n)'],
  ['int x = -1; return x << 0;', 'shift-overflow: x << 0'],
  ['int x = 1; return x << 30;', '1073741824'],
  ['int x = 2; x <<= 30; return x;', 'shift-overflow: x <<= 30'],
  ['unsigned x = 3; return (x << 31) == 1u << 31;', '1'],
  ['unsigned char x = 255; return x << 23;', '2139095040'],
  ['double d = 3e9; return (int)d;', 'conversion: (int)d'],
  ['double d = -2147483648.5; return (int)d == -2147483647 - 1;', '1'],
  ['double d = -0.5; return (unsigned)d;', '0'],
  ['float x = 0.1f; return x == 0.1;', '0'],
]);

check('arrays', [
  ['int a[3] = {1, 2, 3}; int i = 3; return a[i];', 'array-bounds: a[i]'],
  ['int a[3] = {1, 2, 3}; unsigned char i = 255; return a[i];', 'array-bounds: a[i]'],
  ['int a[3] = {1, 2, 3}; long i = -1; return a[i];', 'array-bounds: a[i]'],
  ['int a[3] = {1, 2, 3}; unsigned long i = -1; return a[i];', 'array-bounds: a[i]'],
  ['int a[3] = {1, 2, 3}; int *end = a + 3; return *(end - 1);', '3'],
  ['int a[3] = {1, 2, 3}; return *(a + 3 - 1);', '3'],
  ['int a[3] = {1, 2, 3}; int *p = &a[3]; return p == a + 3;', '1'],
  ['int a[3] = {1, 2, 3}; int n = 4; return &a[n] == a;', 'array-bounds: &a[n]'],
  ['int a[3]; int *p = a; p[3] = 1; return 0;', 'dereference: p[3]'],
  ['int a[3]; int *p = a; p[-1] = 1; return 0;', 'dereference: p[-1]'],
  ['int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int j = 3; return m[0][j];', 'array-bounds: m[0][j]'],
  ['int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*row)[3] = &m[1]; return (*row)[2] + row[-1][0];', '7'],
  ['struct s { int n; int last[1]; } *p = malloc(sizeof *p + 12); p->last[3] = 5; return p->last[3];', '5'],
  [
    'struct s { int n; int last[1]; } *p = malloc(sizeof *p + 12); p->last[4] = 5; return 0;',
    'dereference: p->last[4]',
  ],
  ['struct s { int n; int rest[]; } *p = malloc(sizeof *p + 4); p->rest[0] = 5; return p->rest[0];', '5'],
  ['struct s { int a[2]; int b; } s, *p = &s; int i = 2; p->a[i] = 1; return 0;', 'array-bounds: p->a[i]'],
  ['struct s { int b; int a[2]; } s; int i = 2; s.a[i] = 1; return 0;', 'array-bounds: s.a[i]'],
  ['char *s = "abc"; return s[4];', 'dereference: s[4]'],
  ['int i = 3; return "abc"[i];', '0'],
  ['int i = 4; return "abc"[i];', 'array-bounds: "abc"[i]'],
  ['int x = 1; int *p = &x; long i = 4611686018427387904; return p[i];', 'dereference: p[i]'],
]);

check('pointers', [
  ['int *p = 0; return *p;', 'null-dereference: p'],
  ['struct s { int a, b; } *p = 0; return p->b;', 'null-dereference: p'],
  ['struct n { struct n *next; int v; } a = {0, 1}, *p = &a; return p->next->v;', 'null-dereference: p->next'],
  ['int *p; { int x = 1; p = &x; } return *p;', 'dereference: *p'],
  ['int *p = malloc(4); free(p); return *p;', 'dereference: *p'],
  ['int x = 1; return *(long *)&x == 1;', 'dereference: *(long *)&x'],
  ['int x[2] = {1, 0}; return *(long *)x == 1;', '1'],
  ['char *s = "abc"; s[0] = \'x\'; return 0;', 'read-only: s[0]'],
  ['const int k = 3; return k;', '3'],
  ['static const int k[2] = {3, 4}; int *p = (int *)k; *p = 5; return 0;', 'read-only: *p'],
  ['int a, b; return &a < &b;', 'pointer-comparison: &a < &b'],
  ['int a, b; return &a - &b;', 'pointer-comparison: &a - &b'],
  ['int a[5]; return &a[4] - a;', '4'],
  ['int a[5]; int *p = a, *q = p + 3; return q > p;', '1'],
  ['char *p = malloc(1); p += 2147483647; return p == 0;', '0'],
  ['char *p = malloc(1); p += 2147483647; p += 1; return 0;', 'pointer-arithmetic: p += 1'],
  ['int *p = malloc(8); free(p + 1); return 0;', 'invalid-free: p + 1'],
  ['int *p = malloc(8); free(p); free(p); return 0;', 'invalid-free: p'],
  ['int x; free(&x); return 0;', 'invalid-free: &x'],
  ['free(0); return 1;', '1'],
  ['int *p = malloc(4); *p = 7; p = realloc(p, 16); p[3] = 1; return *p + p[3];', '8'],
  ['int *p = malloc(4); int *q = realloc(p, 16); return *p;', 'dereference: *p'],
  ['return calloc(4611686018427387904, 8) == 0;', '1'],
  ['int *p = calloc(2, 4); return p[1];', '0'],
  [
    'int g(int x); int g(int x) { return x + 1; } int h(int *p) { return *p; } ' +
      'int f(void) { int (*p)(int) = g; return p(1) + (*p)(2); }',
    '5',
  ],
  [
    'int g(int x) { return x; } int h(int *p) { return *p; } int f(void) { int (*p)(int) = (int (*)(int))h; ' +
      'int (*q)(int) = g; return p(1); }',
    'invalid-call: p(1)',
  ],
  ['int f(void) { int (*p)(void) = 0; return p(); }', 'invalid-call: p()'],
  ['void (*del)(void *) = free; int *p = malloc(4); del(p); return *p;', 'dereference: *p'],
]);

check('memory functions', [
  ['char a[4]; memset(a, 7, sizeof a); return a[3];', '7'],
  ['char a[4]; memset(a, 7, 5); return 0;', 'dereference: a'],
  ['char a[4] = "abc", b[3]; memcpy(b, a, 4); return 0;', 'dereference: b'],
  ['char b[3]; int n = 4; memcpy(b, "abc", n); return 0;', 'dereference: b'],
  ['char b[3]; memcpy(b, 0, 1); return 0;', 'null-dereference: 0'],
  ['char b[3] = "x"; memcpy(b, 0, 0); return b[0];', '120'],
  ['char a[6] = "abcd"; memmove(a + 1, a, 4); return a[4];', '100'],
  ['struct s { int a; char c; } x = {1, 2}, y; memcpy(&y, &x, sizeof x); return y.c;', '2'],
  ['char a[6] = "abcd"; memcpy(a, a + 1, 4); return 0;', 'overlapping-copy: memcpy(a, a + 1, 4)'],
  ['char a[6] = "abcd"; strcpy(a, a + 1); return 0;', 'overlapping-copy: strcpy(a, a + 1)'],
  ['char a[6] = "abcd"; strcpy(a, a); return a[0];', '97'],
  ['char a[6] = "ab"; strcpy(a + 3, a); return a[4];', '98'],
  ['char a[6] = "abcd"; stpcpy(a, a + 2); return 0;', 'overlapping-copy: source to target'],
  ['char a[8] = "abcd"; strncpy(a, a + 2, 2); return a[0];', '99'],
  ['char a[8] = "abcd"; strncpy(a, a + 2, 4); return 0;', 'overlapping-copy: strncpy(a, a + 2, 4)'],
  ['char a[9] = "ab\\0cd"; strcat(a, a + 3); return a[3];', 'overlapping-copy: source to target + end'],
  ['char a[6] = {0, 0, 120, 121}; strncat(a, a + 2, 2); return 0;', 'overlapping-copy: source to target + end'],
  ['char a[6] = {0, 0, 0, 120, 121}; strncat(a, a + 3, 2); return a[1];', '121'],
  ['char a[6] = {0, 0, 0, 0, 120}; strncpy(a, a + 4, 5); return 0;', 'overlapping-copy: strncpy(a, a + 4, 5)'],
  ['char a[6] = {0, 0, 0, 0, 120}; strncpy(a, a + 4, 4); return a[0] + a[3];', '120'],
  ['char a[9] = "ab"; strncat(a, a, 2); return a[3];', '98'],
  ['char a[9] = "ab"; sprintf(a, "%s!", a); return a[2];', 'overlapping-copy: sprintf'],
  ['char a[9] = "ab"; sprintf(a + 1, "%s!", a); return a[2];', 'overlapping-copy: sprintf'],
  ['char a[9] = "%%b"; sprintf(a + 1, a); return a[2];', 'overlapping-copy: sprintf'],
  ['char a[9] = "ab"; sprintf(a + 3, "%s!", a); return a[5];', '33'],
  ['char a[9] = "abcd"; sprintf(a, "%s", a + 4); return a[0];', '0'],
  ['char a[9] = "abcd"; sprintf(a, "%.2s", a + 3); return a[0];', '100'],
  ['char a[9] = "abcd"; sprintf(a, "x%.2s", a + 2); return a[0];', 'overlapping-copy: sprintf'],
  ['char a[9] = "abcd"; sprintf(a, "%.1s", a + 2); return a[0];', '99'],
  ['char a[9] = "ab"; return snprintf(a, 0, "%s!", a);', '3'],
  ['char a[9] = "abcd"; snprintf(a, 2, "%s", a + 2); return a[0] - a[1];', '99'],
  ['char a[9] = "abcd"; snprintf(a, 3, "%s", a + 2); return a[0] - a[1];', 'overlapping-copy: snprintf'],
]);

check('assignments of structures that overlap', [
  ...[
    ['u.h.hi = u.l.lo', 'overlapping-assignment: u.h.hi = u.l.lo'],
    ['u.l.lo = u.h.hi', 'overlapping-assignment: u.l.lo = u.h.hi'],
    ['u.l.lo = u.l.lo', '5'],
    ['u.h.hi = (one ? u.l.lo : u.h.hi)', 'overlapping-assignment: u.h.hi = (one ? u.l.lo : u.h.hi)'],
    ['u.h.hi = (one ? u.h.hi : u.l.lo)', '5'],
    ['u.h.hi = same(u.l.lo)', '5'],
    ['u.h.hi = (u.l.lo, w)', '5'],
    ['*p = *q', 'overlapping-assignment: *p = *q'],
    ['*p = *p', '5'],
    ['p->b = p->a', '5'],
    ['*p = w', '5'],
    ['w = *q', '5'],
    ['k[i] = k[j]', '5'],
    ['k[i] = k[i]', '5'],
    ['*(struct w *)(c + i) = *(struct w *)c', 'overlapping-assignment: *(struct w *)(c + i) = *(struct w *)c'],
    ['*(struct w *)(c + 8) = *(struct w *)c', '5'],
    ['struct w copy = u.l.lo; u.h.hi = copy', '5'],
  ].map(
    ([code, expected]) =>
      [
        `struct w { int a, b; }; union u { struct { struct w lo; int x; } l; struct { int x; struct w hi; } h; };
         struct w same(struct w w) { return w; }
         int f(void) { int one = 1, i = 1, j = 2; union u u = { { { 1, 2 }, 3 } };
           struct w w = { 1, 2 }, k[3] = { { 1, 2 } };
         struct w *p = &u.h.hi, *q = &u.l.lo; char c[32] = { 0 }; ${code};
         return 5 + same(k[0]).a * 0 + (i + j + one + !p + !q + w.a + c[0]) * 0; }`,
        expected!,
      ] as const,
  ),
]);

check('parameters with a least length', [
  ...[
    ['first(v)', '1'],
    ['first(v + 1)', '2'],
    ['first(v + 2)', 'array-argument: v + 2'],
    ['first(0)', 'array-argument: 0'],
    ['first(p)', '1'],
    ['first(p + 2)', 'array-argument: p + 2'],
    ['first(s.a)', 'array-argument: s.a'],
    ['first(s.b)', '0'],
    ['first(&s.b[2])', 'array-argument: &s.b[2]'],
    ['counted(4, v)', '1'],
    ['counted(5, v)', 'array-argument: v'],
    ['counted(i, v)', '1'],
    ['counted(0, v)', 'array-argument: v'],
    ['counted(i + 3, p)', 'array-argument: p'],
    ['down(4, v)', '4'],
    ['twice(2, v)', '1'],
    ['twice(3, v)', 'array-argument: v'],
    ['table[i - 2](v + 1)', '2'],
    ['table[i - 2](v + 2)', 'array-argument: v + 2'],
    ['first(malloc(8))', 'array-argument: malloc(8)'],
    ['declared(v)', 'array-argument: v'],
    ['renamed(4, 5, v)', '1'],
    ['renamed(5, 4, v)', 'array-argument: v'],
  ].map(
    ([code, expected]) =>
      [
        `int first(int a[static 3]) { return a[0]; }
         int counted(int n, int a[static n]) { return a[n > 0]  - 1 + (n < 0); }
         int twice(int n, const int a[const static 2 * n]) { return a[n - n]; }
         int down(int n, int a[static n]) { return n == 1 ? a[0] : down(n - 1, a + 1); }
         int declared(int a[static 5]); int declared(int *a) { return a[0]; }
         int renamed(int m, int n, int a[static m]); int renamed(int n, int m, int *a) { return a[n > m]; }
         int (*table[])(int a[static 3]) = { first };
         int f(void) { int i = 2, v[4] = { 1, 2, 3, 4 }, *p = v; struct { int a[2], b[4]; } s = { { 0 } };
           return ${code} + (i + *p + s.a[0]) * 0; }`,
        expected!,
      ] as const,
  ),
]);

check('what is said of rounding, exceptions and options', [
  ['#include <fenv.h>\nint f(void) { return fesetround(FE_TONEAREST) * 10 + fesetround(0xc00) + fegetround(); }', '-1'],
  [
    '#include <fenv.h>\nint f(void) { fenv_t e; fexcept_t x; ' +
      'return feholdexcept(&e) + feraiseexcept(FE_INEXACT) + fesetenv(&e) + feupdateenv(FE_DFL_ENV) + ' +
      'fegetexceptflag(&x, FE_INVALID) + fesetexceptflag(&x, FE_INVALID); }',
    '0',
  ],
  [
    '#include <fenv.h>\nint f(void) { fenv_t e; return fesetenv(&e); }',
    'uninitialised-read: environment->provest_unused',
  ],
  [
    '#include <fenv.h>\nint f(void) { volatile double d = 1.0; d /= 3.0; return fetestexcept(FE_INEXACT); }',
    'limit: unsupported',
  ],
  ['#include <fenv.h>\n#ifdef FE_UPWARD\n#error\n#endif\nint f(void) { return 1; }', '1'],
  [
    '#include <unistd.h>\nint f(void) { char *v[] = { "p", "-n" }; getopt(3, v, "n"); return getopt(3, v, "n"); }',
    'dereference: arguments[optind]',
  ],
]);

check('values that were never given', [
  ['int x; return x;', 'uninitialised-read: x'],
  ['int x, c = 1; if (c) x = 3; return x;', '3'],
  ['int x, c = 0; if (c) x = 3; return x;', 'uninitialised-read: x'],
  ['int a[2]; a[0] = 1; return a[1];', 'uninitialised-read: a[1]'],
  ['struct s { int a, b; } s; s.a = 1; return s.a + s.b;', 'uninitialised-read: s.b'],
  ['struct s { int a, b; } s = { 1 }; return s.a + s.b;', '1'],
  ['int *p = malloc(8); p[0] = 1; return p[1];', 'uninitialised-read: p[1]'],
  ['unsigned char *p = malloc(8); unsigned char c = *p; return c == c;', '1'],
  ['int s = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 5; s += x; } return s;', 'uninitialised-read: x'],
  ['struct s { unsigned a : 3, b : 5; } s; s.a = 9; s.b = 33; return s.a * 10 + s.b;', '11'],
  ['struct s { char c; int b : 8; } s; s.b = 1; return s.c;', 'uninitialised-read: s.c'],
  ['int g(int x) { if (x) return 1; } int f(void) { g(0); return g(1); }', '1'],
  ['int f(void) { int n = 0; int a[n]; return 1; }', 'array-length: n'],
  ['int f(void) { int n = 1 << 20; int a[n][n]; return 1; }', 'limit: memory'],
  ['int f(void) { unsigned long n = -1; int a[n]; return 1; }', 'array-length: n'],
  ['int f(void) { long n = 1L << 31; char a[n]; return 1; }', 'limit: memory'],
  ['int f(void) { unsigned long n = 1UL << 31; __builtin_alloca(n); return 1; }', 'limit: memory'],
  ['int f(void) { int n = 2; int a[n]; return a[n] = 1; }', 'dereference: a[n]'],
  ['int f(void) { int n = 2; int *p; { int a[n]; p = a; } return *p = 1; }', 'dereference: *p'],
  ['int f(void) { int n = 2; int a[n]; __builtin_free(a); return 1; }', 'invalid-free: a'],
  [
    'int *g(void) { int *p = 0; for (int i = 0; i < 2; i++) if (!p) p = __builtin_alloca(4); return p; } ' +
      'int f(void) { return *g() = 1; }',
    'dereference: *g()',
  ],
  ['int g(int x) { if (x) return 1; } int f(void) { return g(0); }', 'missing-return: g(0)'],
  ['int g(int x) { if (x) return 1; } int f(void) { int (*p)(int) = g; return p(0); }', 'missing-return: p(0)'],
  [
    'struct s { int a, b; }; struct s make(void) { struct s s; s.a = 1; return s; } int f(void) { return make().a; }',
    '1',
  ],
  [
    'struct s { int a, b; }; struct s make(void) { struct s s; s.a = 1; return s; } int f(void) { return make().b; }',
    'uninitialised-read: make().b',
  ],
  [
    'struct s { int a, b; }; struct s make(void) { struct s s; s.a = 1; return s; } ' +
      'int f(void) { struct s t = make(); return t.a + t.b; }',
    'uninitialised-read: t.b',
  ],
  [
    '#include <stdarg.h>\nlong g(int n, ...) { va_list l; va_start(l, n); long x = va_arg(l, long); va_end(l); ' +
      'return x; } int f(void) { return g(1, 2); }',
    'variable-argument: va_arg(l, long)',
  ],
  [
    '#include <stdarg.h>\nint g(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); ' +
      'x += va_arg(l, int); va_end(l); return x; } int f(void) { return g(1, 2); }',
    'variable-argument: va_arg(l, int)',
  ],
  ['int x, y = 1; return y || x;', '1'],
  ['int x, y = 0; return y || x;', 'uninitialised-read: x'],
]);

check('lengths of arrays that must be equal', [
  ['int f(void) { int n = 2, m = 3; int a[2][n]; int (*p)[m] = a; return p != 0; }', 'array-argument: a'],
  ['int f(void) { int n = 3; int a[2][3] = { { 0 } }; int (*p)[n] = a; return p != 0; }', '1'],
  ['int f(void) { int n = 4; int a[2][3] = { { 0 } }; int (*p)[n]; p = a; return p != 0; }', 'array-argument: a'],
  ['int f(void) { int n = 4; int a[4][3]; int (*p)[n] = (int (*)[n])a; return p != 0; }', '1'],
  ['int f(void) { int n = 2; int a[n][n]; n = 3; int (*p)[n] = &a[1]; return p != 0; }', 'array-argument: &a[1]'],
  [
    'static int g(int n, int a[n][n]) { return a[n - 1][n - 1]; } int f(void) { int m[2][2] = { 1, 2, 3, 4 }; ' +
      'return g(2, m); }',
    '4',
  ],
  [
    'static int g(int n, int a[n][n]) { return a[0][0]; } int f(void) { int m[3][3] = { 1 }; return g(2, m); }',
    'array-argument: m',
  ],
  [
    'static int g(int n, int (*a)[n]) { if (n == 2) return 1; int b[n - 1][n - 1]; return g(n - 1, b); } ' +
      'int f(void) { int m[3][3]; return g(3, m); }',
    '1',
  ],
  [
    'static int g(int n, int (*a)[n]) { n++; return n > 4 ? n : g(n, a); } ' +
      'int f(void) { int m[3][3]; return g(3, m); }',
    'array-argument: a',
  ],
]);

check('lengths that are not computed twice', [
  [
    'static int h; static int k(void) { return h = 3; } static int g(int a[k()][h]) { return a != 0; } ' +
      'int f(void) { int m[3][3]; h = 3; return g(m); }',
    '1',
  ],
  [
    'static int h; static int k(void) { h = 3; return 2; } ' +
      'static int g(int b[k()], int a[][h]) { return a != 0; } int f(void) { int m[3][3]; return g(m[0], m); }',
    '1',
  ],
]);

check('the ends of a program', [
  ['#include <assert.h>\nint f(void) { int x = 3; assert(x == 4); return 0; }', 'assertion: x == 4'],
  ['void assert(int c); int f(void) { int x = 3; assert(x == 4); return 0; }', 'assertion: x == 4'],
  ['void assert(int c) { } int f(void) { assert(0); return 5; }', '5'],
  ['void reach_error(void); int f(void) { reach_error(); return 0; }', 'unreachable: reach_error()'],
  ['void reach_error(void) { } int f(void) { reach_error(); return 0; }', 'unreachable: reach_error()'],
  ['void error(void); int f(void) { error(); return 0; }', 'unreachable: error()'],
  ['int error(int x) { return x; } int f(void) { return error(3); }', '3'],
  ['abort(); return 0;', 'halted 134'],
  ['exit(3); return 0;', 'halted 3'],
  [
    'int c = 0; switch (c) { case 1: return 1; default: __builtin_unreachable(); }',
    'unreachable: __builtin_unreachable()',
  ],
  ['void assume(int); int f(void) { int x = 3; assume(x > 3); return x; }', 'stopped: assume'],
  ['void assume(int); int f(void) { int x = 4; assume(x > 3); return x; }', '4'],
]);

check('literal formats', [
  [
    '#include <stdio.h>\nint f(void) { char c = 1; short s = 2; long l = 3; ' +
      'return printf("%d %hhd %lu %zu %5.*f %%", c, s, l, sizeof l, 2, 1.5f); }',
    '15',
  ],
  [
    '#include <stdio.h>\nint f(void) { return printf("%ld", 1); }',
    "invalid-call: printf: '%ld' takes 'long', but argument 2 is 'int'",
  ],
  [
    '#include <stdio.h>\nint f(void) { long l = 1; return printf("%d %x", 1, l); }',
    "invalid-call: printf: '%x' takes 'unsigned int', but argument 3 is 'long'",
  ],
  ['#include <stdio.h>\nint f(void) { return printf("%u %x %ld", -1, -1, 1ul); }', '21'],
  [
    '#include <stdio.h>\nint f(void) { const char *s = "%d"; long l = 1; return printf(s, l); }',
    'invalid-call: printf',
  ],
  [
    '#include <stdio.h>\nint f(void) { return printf("%d %s", 1, 2); }',
    "invalid-call: printf: '%s' takes 'char *', but argument 3 is 'int'",
  ],
  [
    '#include <stdio.h>\nint f(void) { return printf("%*d", 1.0, 2); }',
    "invalid-call: printf: '*' takes 'int', but argument 2 is 'double'",
  ],
  [
    '#include <stdio.h>\nint f(void) { return printf("%f", 1); }',
    "invalid-call: printf: '%f' takes 'double', but argument 2 is 'int'",
  ],
  [
    '#include <stdio.h>\nint f(void) { long l; return sscanf("1", "%d", &l); }',
    "invalid-call: sscanf: '%d' takes 'int *', but argument 3 is 'long *'",
  ],
  [
    '#include <stdio.h>\nint f(void) { double d; char s[4]; ' +
      'return sscanf("1 ab 7", "%lf %3s %*d", &d, s) + (d == 1.0); }',
    '3',
  ],
]);

test('a defined reach_error runs when the property is not asked for', () => {
  expect(
    resultOf('int n; void reach_error(void) { n = 4; } int f(void) { reach_error(); return n; }', { off: ['reach'] }),
  ).toBe('4');
});

test('what is not asked for goes on with the total meaning, or ends where there is none', () => {
  expect(resultOf('int f(void) { int x = 2147483647; return x + 1; }', { off: ['overflow'] })).toBe('-2147483648');
  expect(resultOf('int f(void) { int *p = 0; return *p; }', { off: ['memsafety'] })).toBe('stopped: check-off');
});

test('inputs come in the order of the calls', () => {
  const code =
    'int nondet_int(void); _Bool __VERIFIER_nondet_bool(void); ' +
    'int f(void) { int x = nondet_int(); return x * 10 + nondet_int() + 100 * __VERIFIER_nondet_bool(); }';
  expect(resultOf(code, { inputs: [3, 4, 255] })).toBe('134');
});

test.each([
  ['int n = 10000; int a[n]; a[n - 1] = 1; return a[n - 1];', 'limit: memory'],
  ['int n = 8191; int a[n]; a[n - 1] = 1; return a[n - 1];', '1'],
  ['int n = -1; int a[n]; return 1;', 'array-length: n'],
  ['long n = 1L << 30; int a[n]; return 1;', 'limit: memory'],
  ['unsigned n = 3000000000u; char a[n]; return 1;', 'array-length: n'],
  ['char *p = __builtin_malloc(40000); return p != 0;', 'limit: memory'],
  ['char *p = __builtin_malloc(32767); return p != 0;', '1'],
  ['char *p = __builtin_malloc(2147483648u); return p == 0;', '1'],
  ['char *p = __builtin_calloc(200, 200); return p != 0;', 'limit: memory'],
  ['char *p = __builtin_malloc(8); p = __builtin_realloc(p, 50000); return p != 0;', 'limit: memory'],
  ['char a[40000]; a[39999] = 1; return a[39999];', 'limit: memory'],
])('with 32-bit pointers: %s', (code, expected) =>
  expect(resultOf(`int f(void) { ${code} }`, { dataModel: 'ilp32' })).toBe(expected),
);

test.each([
  ['static int g(a, b) char a; int b; { return a * 10 + b; } int f(void) { return g(1, 2); }', '12'],
  ['int g(); int f(void) { return g(300, 2); } int g(a, b) char a; int b; { return a * 10 + b; }', '442'],
  ['static float g(x) float x; { return x / 2; } int f(void) { return (int)g(9.0f); }', '4'],
  ['static int g(a) int a[]; { return a[2]; } int f(void) { int a[] = { 1, 2, 3 }; return g(a); }', '3'],
  ['static int g(a, b) int a, b; { return b / a; } int f(void) { return g(0, 1); }', 'division-by-zero: b / a'],
])('old-style definitions are C11: %s', (text, result) => expect(resultOf(text)).toBe(result));
