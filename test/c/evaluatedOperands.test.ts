/** Operands of a variable length are evaluated by C (6.5.3.4p2): where they change something they are refused. */
import { CError } from '../../src/c';
import { programOf, resultOf } from '../program/programOf';

const refusal = (text: string): string => {
  try {
    programOf(text, {});
    return 'accepted';
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    return error.diagnostics[0]!.message;
  }
};
const inFunction = (body: string): string =>
  `int at(int k) { return k; } int f(int n) { int g[3][n]; int i = 0; ${body} return i; }`;

test.each([
  'unsigned long s = sizeof g[i++]; i = (int)s;',
  'unsigned long s = sizeof(g[at(1)]); i = (int)s;',
  'int (*q)[n] = 0; unsigned long s = sizeof *(q = g + 1); i = (int)s;',
  'unsigned long s = sizeof(char[sizeof(g[i++])]); i = (int)s;',
])('sizeof: %s', (body) => expect(refusal(inFunction(body))).toMatch(/^the operand of 'sizeof' has a variable length/));

test.each(['__typeof__(g[i++]) h; h[0] = 1;', '__typeof__(&g[i++]) h = 0; i += h == 0;'])('typeof: %s', (body) =>
  expect(refusal(inFunction(body))).toMatch(/^the operand of 'typeof' has a variable length/),
);

test.each([
  'int a[4] = { 1, 2, 3, 4 }; i = (*(int (*)[n += 2])a)[2];',
  'int *p = *(int (*[1])[i++]){ 0 }[0]; i += p == 0;',
])('a type name: %s', (body) =>
  expect(refusal(inFunction(body))).toMatch(/^a length in a type name that changes something/),
);

test('where nothing changes, or the length is constant, they are accepted as before', () => {
  expect(
    resultOf(
      'int f(void) { int n = 2, i = 1; int g[3][n]; g[0][0] = 0; return (int)sizeof g[i] + (int)sizeof(*(g + i)); }',
      {},
    ),
  ).toBe('16');
  expect(resultOf('int f(void) { int a[3]; int i = 0; int s = (int)sizeof a[i++]; return s * 10 + i; }', {})).toBe(
    '40',
  );
  expect(resultOf('int f(void) { int n = 3; int s = (int)sizeof(char[n++]); return s * 10 + n; }', {})).toBe('34');
});
