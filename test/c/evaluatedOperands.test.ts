/**
 * C evaluates operands and type names of variable length (C11 6.5.3.4p2, 6.7.6.2p5), and nothing else in `sizeof`. The
 * results are those of gcc and clang.
 */
import { CError } from '../../src/c';
import { programOf, resultOf } from '../program/programOf';

const before = `#include <stdarg.h>
static int hits; static int at(int k) { hits++; return k; }
static int first(int n, ...) { va_list ap; va_start(ap, n); int r = (*va_arg(ap, int (*)[n++]))[0]; va_end(ap);
  return r * 10 + n; }
static int rows(int n, int t[][at(n)]) { int s = 0; for (int i = 0; i < 2; i++) s += t[i][n - 1]; return s; }
static int sized(int n, char t[n += 2]) { return n + (t == 0); }
static int through(int n, int (*p)[n]) { return (*++p)[n - 1]; }
`;
const inFunction = (body: string): string => `${before}int f(void) { int n = 2, i = 0; int g[3][n]; ${body} }`;

test.each([
  ['int s = (int)sizeof g[i++]; return s * 10 + i;', '81'],
  ['int s = (int)sizeof(g[at(1)]); return s * 10 + hits;', '81'],
  ['int (*q)[n] = 0; int s = (int)sizeof *(q = g + 1); return s * 10 + (q == g + 1);', '81'],
  ['int s = (int)sizeof(char[sizeof(g[i++])]); return s * 10 + i;', '81'],
  ['int s = (int)sizeof(char[n++]); return s * 10 + n;', '23'],
  ['int s = (int)sizeof(char[n++][at(3)]); return s * 100 + n * 10 + hits;', '631'],
  ['int s = (int)sizeof(__typeof__(g[i++])); return s * 10 + i;', '81'],
  ['int s = (int)sizeof *(int (*)[n++])0; return s * 10 + n;', '83'],
  ['int s = (int)sizeof (*(int (*)[n++])0)[0]; return s * 10 + n;', '42'],
  ['int s = (int)sizeof(int[3]) + (int)sizeof at(1); return s * 10 + hits;', '160'],
  ['int a[3]; int s = (int)sizeof a[i++]; return s * 10 + i;', '40'],
  ['int s = (int)sizeof(i++ ? g[0] : g[1]); return s * 10 + i;', '80'],
])('sizeof: %s', (body, result) => expect(resultOf(inFunction(body), {})).toBe(result));

test.each([
  ['__typeof__(g[i++]) h; h[1] = 4; return (int)sizeof h * 10 + i + h[1];', '85'],
  ['__typeof__(&g[i++]) h = 0; i += h == 0; return i;', '2'],
  ['__typeof__(i++) h = 5; return h * 10 + i;', '50'],
  ['__typeof__(int[n++]) h; h[1] = 4; return (int)sizeof h * 10 + n + h[1];', '87'],
  ['typedef __typeof__(g[i++]) row; row a, b; a[1] = 1; b[1] = 2; return a[1] * 100 + b[1] * 10 + i;', '121'],
  ['for (__typeof__(g[i++]) *h = g; h < g + 3; h++) i++; return i;', '4'],
])('typeof: %s', (body, result) => expect(resultOf(inFunction(body), {})).toBe(result));

test.each([
  ['int a[4] = { 1, 2, 3, 4 }; int x = (*(int (*)[n += 2])a)[2]; return x * 10 + n;', '34'],
  ['int a[6] = { 1, 2, 3, 4, 5, 6 }; int x = ((int (*)[at(2)])a)[1][1]; return x * 10 + hits;', '41'],
  ['int a[4] = { 1, 2, 3, 4 }; int x = (*(int (*[1])[++n]){ (void *)a }[0])[1]; return x * 10 + n;', '23'],
  ['int a[4] = { 1, 2, 3, 4 }; int (**p)[n] = &(int (*)[++n]){ (void *)a }; return (**p)[1] * 10 + n;', '23'],
  ['int a[6] = { 0 }; int (*p)[n] = (int (*)[n])a; n = 5; p++; return (int)((char *)p - (char *)a);', '8'],
  ['int a[3] = { 1, 2, 3 }; return first(3, &a);', '14'],
  ['int t[2][2] = { { 1, 2 }, { 3, 4 } }; return rows(2, t) * 10 + hits;', '61'],
  ['return sized(3, 0);', '6'],
  ['int t[2][2] = { { 1, 2 }, { 3, 4 } }; return through(2, t);', '4'],
])('a type name, or a parameter: %s', (body, result) => expect(resultOf(inFunction(body), {})).toBe(result));

test.each([
  ['int (*p)[n] = g; p++; int (*q)[n] = p++; p -= 1; p += 1; return (int)(p - g) * 10 + (int)(q - g);', '21'],
  ['int (*p)[n] = g + 3; --p; int (*q)[n] = p--; return (int)(q - g) * 10 + (int)(p - q) + 1;', '20'],
  ['int (*p)[n] = &g[2]; long d = &g[0] - p; return (int)d;', '-2'],
  ['int c[2][n][n + 1]; int (*p)[n][n + 1] = c; p++; c[1][1][2] = 7; return (*p)[1][2] * 10 + (int)(p - c);', '71'],
  ['int k = 0; for (int (*p)[n] = g; p != g + 3; p++) (*p)[1] = k++; return g[2][1];', '2'],
])('steps and differences: %s', (body, result) => expect(resultOf(inFunction(body), {})).toBe(result));

test.each([
  ['int a[4]; n = 0; return (int)sizeof *(int (*)[n])a;', 'array-length'],
  ['n = -1; return (int)sizeof(char[n]);', 'array-length'],
  ['int a[4] = { 0 }; n = 0; return (*(int (*)[n])a)[0];', 'array-length'],
  ['n = 0; __typeof__(int[n]) *p = 0; return p == 0;', 'array-length'],
  ['n = 0; return rows(0, (void *)0);', 'array-length'],
  ['return (int)sizeof g[1 / i];', 'division-by-zero'],
  ['int *p = 0; return (int)sizeof g[*p];', 'null-dereference'],
])('%s fails the check %s', (body, check) => expect(resultOf(inFunction(body), {})).toContain(check));

test.each([
  ['int a[8] = { 0 }; return (*(int (*)[n++])(a + n))[0];', ['unsequenced']],
  ['return (int)(sizeof g[i++] + i);', ['unsequenced']],
  ['i = (int)sizeof g[i++]; return i;', ['unsequenced']],
  ['int s = (int)sizeof g[i++]; i += s; return i;', []],
])('%s: order', (body, expected) =>
  expect(
    programOf(inFunction(body), {})
      .functionByName.get('f')!
      .edges.flatMap(({ command }) =>
        command.kind === 'check' && command.check === 'unsequenced' ? [command.check] : [],
      ),
  ).toEqual(expected),
);

test.each([
  'int (*p)[2] = 0; return (int)sizeof(int (*)[i++]) + (p == 0);',
  'return (int)sizeof(__typeof__(&g[i++]));',
])('C leaves open if a length is evaluated on which the size does not depend: %s', (body) => {
  let message = 'accepted';
  try {
    programOf(inFunction(body), {});
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    message = error.diagnostics[0]!.message;
  }
  expect(message).toMatch(/^C does not say if the length in this type is evaluated/);
});
