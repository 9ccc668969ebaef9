import { callC } from '../cPrograms';

const headers =
  '#include <stdlib.h>\n#include <assert.h>\n#include <string.h>\n#include <limits.h>\n#include <stdbool.h>\n';

/** The body of `void f(int n)`; the line of its text is 6. */
function messageOf(body: string, argument: number, declarations = ''): string {
  const outcome = callC(`${headers}${declarations} void f(int n) { ${body} }`, 'f', [argument]);
  return outcome.kind === 'fault' ? `${outcome.fault.check}: ${outcome.fault.message}` : outcome.kind;
}

test.each<[string, number, string | RegExp]>([
  ['assert(n < 3 && "small");', 5, 'assertion: assertion failed: n < 3 && "small"'],
  ['int a[8]; a[n] = 1;', 8, 'array-bounds: index 8 is outside a[8]'],
  ['int a[8]; a[n + 1] = 1;', -2, 'array-bounds: index -1 is outside a[8]'],
  ['int a[2][3] = {0}; n = a[1][n];', 3, 'array-bounds: index 3 is outside a[1][3]'],
  ['unsigned long i = n; char a[4]; a[i] = 0;', 4, 'array-bounds: index 4 is outside a, at most 3 is allowed'],
  ['int a[4], *p = &a[n]; n = *p;', 5, 'array-bounds: index 5 is outside a, at most 4 is allowed'],
  ['int *p = n ? &n : NULL; *p = 1;', 0, 'null-dereference: null pointer dereference: p'],
  ['struct s { int x, y; } *p = NULL; n = p->y;', 0, 'null-dereference: null pointer dereference: p'],
  [
    'int *p = malloc(4 * sizeof *p); p[n] = 1; free(p);',
    4,
    'dereference: out of bounds: p[n]: offset 16 in the object of 16 bytes allocated at line 6',
  ],
  [
    'int *p = malloc(4 * sizeof *p); p[n] = 1; free(p);',
    -1,
    'dereference: out of bounds: p[n]: offset -4 in the object of 16 bytes allocated at line 6',
  ],
  [
    'int *p = malloc(4);\n free(p);\n *p = n;',
    4,
    'dereference: use after free: *p: the object of 4 bytes allocated at line 6 was freed at line 7',
  ],
  [
    'int *p; { int x = 1; p = &x; } *p = n;',
    4,
    "dereference: use after the end of the lifetime: *p: the lifetime of 'x' (4 bytes) has ended",
  ],
  ['int *p = (int *) 0x1234567800000000; *p = n;', 4, 'dereference: invalid pointer: *p: a pointer to no object'],
  [
    'int *p = (int *) 0x40020008; *p = n;',
    4,
    'dereference: invalid pointer: *p: address 0x40020008, where no object lies',
  ],
  ['int *p = (int *) 8; *p = n;', 4, 'dereference: invalid pointer: *p: a null pointer plus 8 bytes'],
  ['char *s = "text"; s[n] = 0;', 1, /^read-only: write to read-only memory: s\[n\]: offset 0 in .*\(5 bytes\)$/],
  [
    'int *p = malloc(4); free(p); free(p);',
    0,
    'invalid-free: double free: p: the object of 4 bytes allocated at line 6 was freed at line 6',
  ],
  [
    'char *p = malloc(4); free(p + n);',
    1,
    'invalid-free: free of a pointer into an object: p + n: offset 1 in the object of 4 bytes allocated at line 6',
  ],
  ['free(&n);', 0, 'invalid-free: free of an object that was not allocated: &n'],
  ['n = n + 1;', 0x7fffffff, 'signed-overflow: signed overflow: n + 1 (n = 2147483647)'],
  ['int m = n; n = n * m;', 65536, 'signed-overflow: signed overflow: n * m (65536 * 65536)'],
  [
    'long a = n, b = LONG_MAX; a = a + b;',
    1,
    'signed-overflow: signed overflow: a + b (b = 9223372036854775807, a = 1)',
  ],
  ['n = -n;', -0x80000000, 'signed-overflow: signed overflow: -n (n = -2147483648)'],
  ['n = 1 << n;', 32, 'shift: shift by a negative amount or by the width or more: 1 << n (n = 32)'],
  ['n = 7 / n;', 0, 'division-by-zero: division by zero: 7 / n'],
  ['double d = n * 1e5; n = d;', 100_000, 'conversion: value does not fit the type: d (d = 10000000000)'],
  ['int x; if (n) x = 1; n = x;', 0, 'uninitialised-read: read of an uninitialised value: x'],
  [
    'int printf(const char *, ...); printf("%s", n);',
    1,
    /^invalid-call: invalid call: printf: '%s' takes 'char \*', but argument 2 is 'int'/,
  ],
  [
    'int (*g)(void) = n ? (int (*)(void)) &n : 0; g();',
    1,
    /^invalid-call: call through an invalid function pointer: g\(\)/,
  ],
  ['char to[4]; strcpy(to, "much too long");', 0, 'array-bounds: index 4 is outside to, at most 3 is allowed'],
  ['static char to[4]; memset(to, 0, n);', 5, 'dereference: out of bounds: to: 5 bytes where there are 4'],
  [
    'int sprintf(char *, const char *, ...); static char to[4]; sprintf(to, "%d!", n);',
    100,
    'dereference: out of bounds: to: 5 bytes where there are 4',
  ],
  [
    'int a[2], b[2]; if (&a[n] < &b[0]) return;',
    0,
    'pointer-comparison: comparison of pointers into different objects: &a[n] < &b[0]',
  ],
])('%s with %p', (body, argument, expected) => {
  const message = messageOf(body, argument);
  if (typeof expected === 'string') expect(message).toBe(expected);
  else expect(message).toMatch(expected);
});
