/**
 * Programs without a choice are decided by running them; anything that another execution could do otherwise is a
 * choice.
 */
import { onlyExecution } from '../../../src/evidence/scenarios/onlyExecution';
import { defaultProperties, type Property } from '../../../src/program/command';
import { numberLimits } from '../../../src/semantics/concrete/memoryBlock';
import { programOf } from '../../program/programOf';

const header =
  '#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n' +
  'int nondet(void); int other(void);\n';
function decided(text: string, properties: readonly Property[] = defaultProperties, steps = 100_000): string {
  const program = programOf(header + text, { externals: 'any' });
  const run = onlyExecution(program, program.functionByName.get('main')!, new Set(properties), steps);
  return run.kind === 'open'
    ? `open: ${run.why}`
    : run.kind === 'fault'
      ? run.fault.check
      : `harmless, ${run.unreached.length} unreached`;
}

test.each([
  [
    'a loop with wrap',
    'int main(void) { unsigned x = 1, y = 0; while (y < 1000) { x += y * y; y++; } assert(x == 332833501u); }',
    'harmless, 0 unreached',
  ],
  [
    'arrays, automatic and static',
    'int g[9]; int main(void) { int a[9]; for (int i = 0; i < 9; i++) a[i] = g[i] + i; assert(a[8] == 8); }',
    'harmless, 0 unreached',
  ],
  [
    'a failure',
    'int main(void) { int a[3] = {1, 2, 3}, s = 0; for (int i = 0; i < 3; i++) s += a[i]; assert(s == 5); }',
    'assertion',
  ],
  [
    'an assertion not come to',
    'int main(void) { int x = 3; if (x > 4) assert(x < 0); return 0; }',
    'harmless, 1 unreached',
  ],
  [
    'the heap',
    'int main(void) { int *p = malloc(8); if (!p) return 1; p[0] = 1; p[1] = 2; assert(p[0] < p[1]); free(p); }',
    'harmless, 0 unreached',
  ],
  [
    'parameters that nobody reads',
    'int main(int argc, char **argv) { float x = 10; while (x > 0) x *= 0.1; assert(x >= 0); }',
    'harmless, 0 unreached',
  ],
  ['the end of the program', 'int main(void) { exit(3); }', 'harmless, 0 unreached'],
])('%s', (_, text, expected) => {
  expect(decided(text)).toBe(expected);
});

test.each([
  ['an input', 'int main(void) { assert(nondet() != 7); }'],
  ['an unknown function', 'int main(void) { assert(other() != 7); }'],
  ['an indeterminate local', 'int main(void) { int x; assert(x != 7); }'],
  ['one that is set on some ways only', 'int main(void) { int x; for (int i = 0; i < 0; i++) x = 1; assert(x != 7); }'],
  ['an indeterminate element', 'int main(void) { int a[2]; a[0] = 1; assert(a[1] != 7); }'],
  [
    'an indeterminate byte that was copied',
    'int main(void) { int a[2], b[2]; a[0] = 1; memcpy(b, a, sizeof a); assert(b[1] != 7); }',
  ],
  ['indeterminate heap memory', 'int main(void) { int *p = malloc(4); if (p) assert(*p != 7); }'],
  ['an address as a number', 'int main(void) { int x = 1; assert((unsigned long)&x % 64 != 32); }'],
  ['the order of two objects', 'int main(void) { int x = 1, y = 1; assert(&x < &y); }'],
  ['an assumption that fails', 'void assume(int); int main(void) { assume(0); assert(0); }'],
  [
    'a parameter that is passed on',
    'static int low(int n) { return n < 99; } int main(int argc, char **argv) { assert(low(argc)); }',
  ],
  ['a parameter whose address is taken', 'int main(int argc, char **argv) { int *p = &argc; assert(*p < 99); }'],
  ['a parameter', 'int main(int argc, char **argv) { assert(argc < 99); }'],
])('a choice: %s', (_, text) => {
  expect(decided(text, ['reach'])).toBe('open: choice');
});

test('a run that does not end shows nothing', () => {
  expect(decided('int main(void) { for (;;) {} }')).toBe('open: steps');
});

test.each([
  ['output', 'int main(void) { printf("%s", "x"); puts("y"); fprintf(stderr, "%p", (void *)0); return 0; }'],
  [
    'a number as text',
    'int main(void) { char b[6]; int n = snprintf(b, sizeof b, "%d;%d", 123, -456); ' +
      'assert(n == 8 && b[5] == 0 && b[4] == 45); }',
  ],
  ['a literal as text', 'int main(void) { char b[6]; assert(sprintf(b, "ab") == 2 && !strcmp(b, "ab")); }'],
  [
    'floating point as text',
    'int main(void) { char b[20]; sprintf(b, "%.3f|%5.1e", 2.5, 1e10); assert(!strcmp(b, "2.500|1.0e+10")); }',
  ],
  [
    'sines and powers at a few places',
    '#include <math.h>\nint main(void) { ' +
      'assert(cos(0.0) == 1 && log(1.0f) == 0 && pow(3.0, 0.0) == 1 && hypot(0, -3) == 3); }',
  ],
  [
    'whether a number fits, after other functions that may set errno',
    '#include <errno.h>\nint main(void) { int a; sscanf("7", "%d", &a); errno = 0; strtol("8", 0, 10); ' +
      'assert(errno == 0 && a == 7); }',
  ],
  ['a root', '#include <math.h>\nint main(void) { assert(sqrt(16.0) == 4.0 && fmod(7.5, 2.0) == 1.5); }'],
  ['text as numbers', 'int main(void) { int a; char w[5]; assert(sscanf("12 ab", "%d %4s", &a, w) == 2 && a == 12); }'],
  ['text as floating point', 'int main(void) { char *e; assert(strtod("1.5x", &e) == 1.5 && *e == 120); }'],
  [
    'sorting',
    'int less(const void *a, const void *b) { return *(int *)a - *(int *)b; } ' +
      'int main(void) { int v[3] = { 3, 1, 2 }; qsort(v, 3, sizeof *v, less); assert(v[0] == 1 && v[2] == 3); }',
  ],
  [
    'sorting pointers',
    'int less(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); } ' +
      'int main(void) { char *v[3] = { "c", "a", "b" }; ' +
      'qsort(v, 3, sizeof *v, less); assert(*v[0] == 97 && *v[2] == 99); }',
  ],
  [
    'sorting elements larger than the piece that is copied at once',
    'struct e { int k; char t[80]; }; ' +
      'int less(const void *a, const void *b) { return ((const struct e *)a)->k - ((const struct e *)b)->k; } ' +
      'int main(void) { struct e v[2] = { { 2, { [79] = 5 } }, { 1, { [79] = 6 } } }; qsort(v, 2, sizeof *v, less); ' +
      'assert(v[0].k == 1 && v[0].t[79] == 6 && v[1].t[79] == 5); }',
  ],
])('the library determines %s', (_, text) => {
  expect(decided(text)).toBe('harmless, 0 unreached');
  expect(decided(text.replace(/assert\(/, 'assert(!'), ['reach'])).toBe(
    text.includes('assert') ? 'assertion' : 'harmless, 0 unreached',
  );
});

test.each([
  ['a sine', '#include <math.h>\nint main(void) { assert(sin(1.0) < 0.9); }'],
  ['a root of a sum of squares', '#include <math.h>\nint main(void) { assert(hypot(3.0, 4.0) == 5.0); }'],
  [
    'an error number that was copied before it was set',
    '#include <errno.h>\nint main(void) { int e; printf("x"); e = errno; errno = 0; assert(e == 0); }',
  ],
  ['a power', '#include <math.h>\nint main(void) { assert(pow(2.0, 0.5) < 1.5); }'],
  ['how much was printed', 'int main(void) { assert(printf("x") == 1); }'],
  ['an address as text', 'int x; int main(void) { char b[40]; sprintf(b, "%p", (void *)&x); assert(b[0] == 48); }'],
  ['a NaN as text', 'int main(void) { char b[9]; double z = 0; sprintf(b, "%f", z / z); assert(b[0] == 110); }'],
  ['indeterminate text', 'int main(void) { char a[4], b[9]; a[3] = 0; sprintf(b, "%s", a); assert(b[0]); }'],
  [
    'an error number that was not set',
    '#include <errno.h>\nint main(void) { char b[9]; errno = 0; sprintf(b, "x"); assert(errno == 0); }',
  ],
  ['hexadecimal floating point', 'int main(void) { char b[30]; sprintf(b, "%a", 0.1); assert(b[2] == 49); }'],
])('the library leaves open %s', (_, text) => {
  expect(decided(text)).toBe('open: choice');
});

test.each([
  ['a buffer that is too short', 'int main(void) { char b[3]; sprintf(b, "%d", 1234); }', 'dereference'],
  ['a string without its end', 'int main(void) { char a[2] = "ab", b[9]; sprintf(b, "%s", a); }', 'dereference'],
  ['a null pointer', 'int main(void) { char *p = 0; printf("%s", p); }', 'null-dereference'],
])('the library finds %s', (_, text, expected) => {
  expect(decided(text)).toBe(expected);
});

test.each([
  [
    'a byte of a pointer',
    'int x; int main(void) { int *p = &x; unsigned char *b = (unsigned char *)&p; assert(b[4] & 16); }',
  ],
  [
    'a pointer copied into a number',
    'int x; int main(void) { int *p = &x; unsigned long u; memcpy(&u, &p, sizeof u); assert(u & 64); }',
  ],
  [
    'a pointer in a union with a number',
    'int x; int main(void) { union { int *p; unsigned long u; } v; v.p = &x; assert(v.u & 64); }',
  ],
  [
    'a byte of a static pointer',
    'int x, *p = &x; int main(void) { unsigned char b[8]; memcpy(b, &p, 8); assert(b[0]); }',
  ],
  ['an indeterminate byte', 'int main(void) { unsigned char *p = malloc(8); if (p) assert(p[0] != 5); }'],
  [
    'a byte of padding',
    'struct s { char c; int i; }; int main(void) { struct s a; a.c = 1; a.i = 2; assert(((char *)&a)[1] != 9); }',
  ],
  [
    'a bit-field beside one that was set',
    'int main(void) { struct { unsigned a : 4, b : 4; } s; s.a = 1; assert(s.b != 5); }',
  ],
  [
    'a pointer compared with one whose object is gone',
    'int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); assert(p == q); }',
  ],
  ['the end of one object and the beginning of another', 'int main(void) { int a[1], b[1]; assert(&a[1] == &b[0]); }'],
  [
    'the bytes of a NaN',
    'int main(void) { union { float f; unsigned i; } u, v; u.i = 0x7fa00001; v.f = u.f; assert(v.i == 0x7fa00001); }',
  ],
  ['a result that nobody gave', 'int f(int c) { if (c) return 1; } int main(void) { assert(f(0) != 5); }'],
])('a representation that C leaves open is a choice: %s', (_, text) => {
  const passing = text.replace(/assert\((.*)\); }$/, 'if (!($1)) assert(0); }');
  const failing = text.replace(/assert\((.*)\); }$/, 'if ($1) assert(0); }');
  expect([passing, failing].map((way) => decided(way, ['reach']))).toContain('open: choice');
  expect([passing, failing].map((way) => decided(way, ['reach']))).not.toContain('harmless, 1 unreached');
});

test.each([
  [
    'pointers to parts of one object, null, and live objects',
    'int main(void) { int a[2], b[2], *p = &a[0], *q = 0; ' +
      'assert(p != &a[1] && p != b && &a[1] != b && q == 0 && p != q); }',
  ],
  [
    'a pointer that is stored, copied and loaded',
    'struct s { int *p; }; int main(void) { int x = 1; struct s a = { &x }, b; b = a; assert(*b.p == 1); }',
  ],
  [
    'bytes that were written',
    'int main(void) { int a = 258; unsigned char b[4]; memcpy(b, &a, 4); assert(b[0] == 2 && b[1] == 1); }',
  ],
])('no choice: %s', (_, text) => {
  expect(decided(text)).toBe('harmless, 0 unreached');
});

test('a library function may set errno', () => {
  const text = 'int main(void) { errno = 0; printf("x"); assert(errno == 0); return 0; }';
  expect(decided(`#include <errno.h>\n${text}`, ['reach'])).toBe('open: choice');
});

test.each([
  ['a variable', 'int *p;', 'p'],
  ['memory', 'static struct { char c; int *p; } s;', 's.p'],
])('however many objects come after it, one that has ended stays so for a pointer in %s', (_, declaration, pointer) => {
  // The first object's number would be due again in the last round.
  const rounds = numberLimits.lp64.quarantine;
  const text = (last: string): string => `int main(void) {
    ${declaration} { int first = 1; ${pointer} = &first; }
    for (int i = 0; i < ${rounds}; i++) { int later = i, *q = &later; if (i == ${rounds - 1}) ${last} *q = 1; }
    return 0; }`;
  expect(decided(text(`*${pointer} = 2;`), defaultProperties, 10_000_000)).toBe('dereference');
  expect(decided(text(''), defaultProperties, 10_000_000)).toBe('harmless, 0 unreached');
});
