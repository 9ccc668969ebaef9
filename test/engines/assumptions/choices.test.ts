/** Behaviour that C leaves open is listed where a program may meet it, and nowhere else. */
import { assumptionsOf } from '../../../src/engines/assumptions/assumptions';
import { taken } from '../../../src/engines/assumptions/choices';
import { programOf } from '../../program/programOf';
import { task } from '../task';

const lines = (text: string): readonly string[] =>
  assumptionsOf({
    program: programOf(text, { externals: 'any' }),
    task: task('input.c'),
    entries: [],
    init: undefined,
    checkedProperties: new Set(),
    regions: undefined,
    clientSlots: undefined,
  });

const ended = 'a pointer to an object that is gone differs from all others';
const { sentence: ofAlignment } = taken.alignment;

/** The lines of the text at which the sentence is said to matter. */
function places(sentence: string, text: string): string {
  const line = lines(text).find((one) => one.startsWith(sentence));
  return line?.slice(line.indexOf(' at ') + 4).replaceAll('input.c:', '') ?? '';
}

test.each([
  ['int f(char c) { return isdigit(c); }', '3'],
  ['int f(char c) { return isdigit((unsigned char)c); }', ''],
  ['int f(void) { return isspace(getchar()) + toupper(tolower(200)) + isalpha(EOF); }', ''],
  ['int f(int c) { return isdigit(c & 127); }', ''],
  ['int f(int c) { return isdigit(c & -2); }', '3'],
  ['int f(int c) { int (*p)(int) = isdigit; return p(c); }', '3'],
])('character functions: %s', (text, expected) =>
  expect(places(taken.characters.sentence, `#include <ctype.h>\n#include <stdio.h>\n${text}`)).toBe(expected),
);

test.each([
  ['int f(char *p) { return *(int *)p; }', '1'],
  ['int f(void *p) { return *(int *)p; }', ''],
  ['int f(int n, int p[][n]) { return p[1][n - 1]; }', ''],
  ['int f(void) { char a[8] = { 0 }; return *(int *)a; }', '1'],
  ['int f(void) { _Alignas(4) char a[8] = { 0 }; return *(int *)(a + 4); }', ''],
  ['int f(void) { _Alignas(4) char a[8] = { 0 }; return *(int *)(a + 2); }', '1'],
  ['struct __attribute__((packed)) s { char c; int i; }; int *f(struct s *p) { return &p->i; }', '1'],
  ['struct s { char c; int i; }; int *f(struct s *p) { return &p->i; }', ''],
  ['int f(void) { char a[8] = { 0 }; return *(int *)(void *)(a + 1); }', '1'],
  ['int f(unsigned long n) { return *(int *)n; }', '1'],
  ['int f(unsigned long n) { return *(char *)n; }', ''],
  ['int f(unsigned long n) { return *(int *)(n & ~3ul); }', ''],
  ['int f(unsigned long n) { return *(int *)(n & ~1ul); }', '1'],
  ['int f(int *p) { return *(int *)(unsigned long)p; }', ''],
  ['int f(int *p) { return *(int *)((unsigned long)p | 1); }', '1'],
  ['int f(void) { return *(volatile int *)0x40000004; }', ''],
  ['int f(void) { return *(volatile int *)0x40000005; }', '1'],
])('alignment: %s', (text, expected) => expect(places(ofAlignment, text)).toBe(expected));

test.each([
  ['int f(void) { int *p; { int x; p = &x; } { int y; return p == &y; } }', '2'],
  ['int f(int *p) { int x; return p == &x; }', ''],
  ['int f(int n) { int a[4]; int *p = a + n; return p == a + 4; }', ''],
  ['int f(int *q) { int *p = malloc(4); free(p); return p == q || p == 0; }', '2'],
  ['int f(int *q) { int *p = malloc(4); free(p); return p == 0; }', ''],
  ['static int *last; int f(void) { int x; int same = last == &x; last = &x; return same; }', '2'],
])('pointers to objects that are gone: %s', (text, expected) =>
  expect(places(ended, `#include <stdlib.h>\n${text}`)).toBe(expected),
);

test.each([
  ['const-removed', 'int f(const int *p) { return *(int *)p; }', '1'],
  ['const-removed', 'int f(const int *p) { return *(const int *)p; }', ''],
  ['bool-bytes', 'int f(_Bool *p) { return *p; }', '1'],
  ['bool-bytes', 'int f(_Bool p) { return p; }', ''],
  ['bool-bytes', 'union u { char c; _Bool b; }; int f(void) { union u u; u.c = 2; return u.b; }', '1'],
] as const)('%s: %s', (choice, text, expected) => expect(places(taken[choice].sentence, text)).toBe(expected));
