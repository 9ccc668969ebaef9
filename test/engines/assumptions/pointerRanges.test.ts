/** Pointer arithmetic is listed unless an access beside it shows that it stays in the object. */
import { mayLeaveObject } from '../../../src/engines/assumptions/pointerRanges';
import { programOf } from '../../program/programOf';

/** Lines with such a step, of a program whose first line is 1. */
const listed = (text: string): number[] => [
  ...new Set(mayLeaveObject(programOf(text, { externals: 'any' })).map(({ file, start }) => file.position(start).line)),
];

test.each([
  ['an access before the step', 'int f(const char *s) { int n = 0; while (*s) { s++; n++; } return n; }'],
  ['an access after the step', 'int f(const int *p, int n) { int t = 0; while (n-- > 0) t ^= *p++; return t; }'],
  ['two pointers', 'void f(char *d, const char *s) { while ((*d++ = *s++)) ; }'],
  ['a step back to where the access is', 'int f(int *p) { int *q = p; q += 1; q -= 1; return *q; }'],
  ['a loop that reads each element', 'int f(int *p, int *e) { int t = 0; for (; p < e; p++) t ^= *p; return t; }'],
  ['a copy of the pointer', 'int f(char *p) { *p = 0; char *q = p; q++; return q != p; }'],
  ['an element that is used at once', 'int f(int *p, int n) { int *q = p + n; return *q; }'],
  ['subscripts and members', 'struct s { int a, b; }; int f(struct s *p, int i) { return p[i].b + (&p->b)[0]; }'],
])('not listed: %s', (_, text) => {
  expect(listed(text)).toEqual([]);
});

test.each([
  ['a step out of the object and back', 'int f(int *p) {\n p += 5;\n p -= 5;\n return *p; }', [2]],
  ['a pointer to one element before', 'int f(int *p, int n) {\n int *q = p - 1;\n return n ? q[n] : 0; }', [2]],
  ['two steps behind one access', 'int f(int *p) { int x = *p;\n p++;\n p++;\n return x + (p != 0); }', [3]],
  ['an access on one path only', 'int f(char *p, int n) { if (n) *p = 0;\n p++;\n return p != 0; }', [2]],
  ['another pointer that is used', 'int f(char *p, char *q) { *q = 0;\n p++;\n return p != q; }', [2]],
  ['a pointer that was changed since', 'int f(char *p, char *q) { *p = 0; p = q;\n p++;\n return p != q; }', [2]],
  ['a call in between', 'void g(void); static char *p; int f(void) { *p = 0; g();\n p++;\n return p != 0; }', [2]],
  [
    'a pointer that a call may change',
    'char *g(void); int f(char *p) { *p = 0; p = g();\n p++;\n return p != 0; }',
    [2],
  ],
  ['an element of no known place', 'int *f(int *p, int n) {\n return p + n; }', [2]],
  ['a longer step than the access', 'int f(char *p) { *p = 0;\n p += 2;\n return p != 0; }', [2]],
])('listed: %s', (_, text, lines) => {
  expect(listed(text)).toEqual(lines);
});
