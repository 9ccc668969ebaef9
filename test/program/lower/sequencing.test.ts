/**
 * Unsequenced changes and uses of one object (C11 6.5p2) are failing checks, when the objects are the same and both are
 * evaluated. Each expression is run once.
 */
import { resultOf } from '../programOf';

const before = `
struct s { int a, b; unsigned low : 4, high : 4; int v[4]; struct s *next; };
union u { struct { unsigned l : 4, h : 4; } f; unsigned char c; struct { unsigned m : 3; } g; };
static int global = 1, other = 2, data[4] = { 0, 1, 2, 3 };
static int g(int x) { return x; }
static int h(int x, int y) { return x + y; }
static int bump(int *p) { return ++*p; }
static struct s make(int x) { struct s s = { x, x }; return s; }
`;

/** 'unsequenced', or 'defined' if the expression has a meaning. */
function run(expression: string): string {
  const result = resultOf(
    `${before}int f(void) { int i = 1, j = 2, k = 0, one = 1, a[9] = { 0, 1, 2, 3 };
     int *p = a, *q = a + 1, *r = a, **pp = &p; struct s s = { 1, 2, 3, 4 }, t = s, *m = &s, *n = &s;
     union u u = { { 1, 2 } };
     s.next = &s; ${expression};
     return h(0, i != 12345 && j != 12345 && k != 12345 && one && a[0] != 12345 && *p != 12345 && *q != 12345
       && *r != 12345 && **pp != 12345 && s.a + t.a + m->a + n->a + u.c != 12345 && g(global + other + data[0]) !=
           12345); }
     int unused(int *x) { return bump(x) + make(1).a; }`,
    { off: ['uninitialised'] },
  );
  return result.startsWith('unsequenced: ') ? 'unsequenced' : result === '1' ? 'defined' : result;
}
const check = (name: string, expected: string, expressions: readonly string[]): void => {
  describe(name, () => {
    test.each(expressions)('%s', (expression) => expect(run(expression)).toBe(expected));
  });
};

check('variables', 'unsequenced', [
  'i = i++',
  'i = ++i + 1',
  'i++ + i++',
  'i + i++',
  'i++ * (i > 3)',
  'a[i] = i++',
  'a[i++] = i',
  'h(i, i++)',
  'h(i++, i++)',
  'g(i++) + i',
  'i += i++',
  'i += g(i++)',
  'i = j && i++',
  'i = j ? i++ : 0',
  '(i = 1) + (i = 2)',
  'j = (i++, 1) + i',
  'i += (i++, 1)',
  'global = global++',
  'global += global++ + 1',
  'p = p++',
  'p += *p++',
  '(one ? i : 0) + i++',
  '(one ? i++ : 0) + (one ? i : 0)',
  '(one && i++) + (one && i++)',
  'j = (one ? (one ? i++ : 0) + i : 0)',
  '(g(1) ? g(i++) : 0) + i',
]);
check('objects in memory', 'unsequenced', [
  '*p = (*p)++',
  '*p = (*r)++',
  '*p = ++*r + 1',
  '*p + (*r)++',
  'h(*p, ++*r)',
  'h((*p)++, (*r)--)',
  '*p += (*r)++',
  '*p = *r = 3',
  'a[0] = (*p)++',
  'a[1] = a[one]++',
  'a[j - 1] = a[one]++',
  'i = a[a[0]++]',
  'p[i] = q[0]++',
  's.a = s.a++ + 1',
  'm->a = n->a++',
  'm->a = s.a++',
  'm->next->a = n->a++',
  's.v[i] = s.v[one]--',
  's.low = s.low++ + 1',
  'm->low = n->low++',
  'global = (*(&global))++',
  'data[1] = data[one]++',
  '*pp = p++',
  '(*pp)[0] = *p++',
  's.a = (s = t).b',
  's.a + (s = t).b',
  's = s = t',
  'u.c = u.f.h++',
  '*(short *)p = *((char *)p + 1) = 1',
]);
check('arms that are evaluated', 'unsequenced', [
  '(one ? *p : 0) + (*r)++',
  '(one ? (*p)++ : 0) + *r',
  '*p = one ? (*r)++ : 0',
  '*p = g(one) && (*r)++',
  '(one && bump(&k) && (*p)++) + (one && (*r)++)',
  '(k || *p || (*p)++) + (k ? 0 : ++*r)',
  '*p = 0 ? 1 : (*r)++',
]);
check('left operands without a right one', 'unsequenced', [
  'k = k++ && j',
  'i = i++ || j',
  'i = g(0) + (i++ || j)',
  '*p = (*r)++ && one',
  'i += i++ || j',
  'k = (k++ && j) && one',
  'a[k++ && j] = k = 2',
  'k = (one && k++) && j',
  'k = (one ? k++ : 5) && j',
  'k = ((one && k++) && j) && one',
  'k = (one ? (one && k++) && j : 3)',
  '*p = (one && (*r)++) && one',
  'k = (k || k++) || (one && k++) || k',
]);
check('left operands with a right one', 'defined', [
  'k = k++ || j',
  '*q = (*q)++ && one',
  'i = (i++ || j, 4)',
  'i = (i++ || j) && one',
  'k = j && (k || j)',
  'i = (i++ || j) ? 2 : 3',
  'k = (k && k++) && j',
  'i = (one && i++) && j',
  '*q = (one && (*q)++) && one',
  '*p = (k && (*r)++) && one',
  'k = (one ? k++ : 5) || j',
]);
check('arms that are not', 'defined', [
  '(k ? i : 0) + i++',
  '(k ? i++ : 0) + i',
  '(k && i++) + i',
  '*p = k ? (*r)++ : 0',
  '(k ? *p : 0) + (*r)++',
  '(one ? 0 : (*p)++) + *r',
  '(k && bump(&k) && (*p)++) + (one && (*r)++)',
  '*p = 0 ? (*r)++ : 1',
  'i = 0 && i++',
  '(i == 0 ? i++ : 0) + i',
]);
check('variables and sequence points', 'defined', [
  'i++',
  'i = i + 1',
  'i += i',
  'i = j = 3',
  'i++, i++',
  'i = (i++, 5)',
  'i = i++ && j',
  'i++ || i++',
  'i++ ? i : i--',
  'i = g(i++)',
  'i = h(i + 1, j++)',
  '*p++ = j++',
  'a[i] = a[i] + 1',
  'i = sizeof(i++)',
  'i = g(j) + g(j)',
  'while (i-- > 0 && a[i]) j++',
  'int b[3] = { i++, i }; j = b[0]',
  'i = ({ i++; i; }) + 1',
]);
check('different objects', 'defined', [
  '*p = (*q)++',
  '*p++ = *q++',
  '*p++ = *q++ = 3',
  'a[0] = a[1]++',
  'a[i] = a[j]++',
  'p[0] = p[1]++',
  's.a = s.b++',
  'm->a = n->b++',
  'm->v[m->a++] = 7',
  's.v[s.a++] = s.v[s.b--]',
  's.low = s.high++',
  'm->low = n->high++',
  'u.f.l = u.f.h++',
  'u.g.m = u.f.h++',
  's.a = t.a++',
  'global = other++',
  'data[global] = data[other]++',
  '*p += (*q)++',
  'h(*p, ++*q)',
  '*p = h((*p)++, 1)',
  '*p = ((*p)++, 3)',
  's = make(s.a++)',
  's.a = make(s.a++).b',
  'i = a[a[3]++ & 1]',
  's = t = s',
  'm->next = (m->next->a = 1, m)',
  '*(short *)p = *((char *)p + 2) = 1',
]);

check('lengths of one declarator', 'unsequenced', [
  'int z[i++][i]; z[0][0] = 1',
  'int (*z)[i][i--] = 0; z = 0',
  'typedef int z[i][++i]; z y; y[0][0] = 1',
  'i = (int)sizeof(int[i++][i])',
]);

check('lengths of several declarators', 'defined', [
  'int z[i++], y[i]; z[0] = y[0] = 1',
  'int z[i++][j++]; z[0][0] = 1',
  'int z[j][j]; z[0][0] = 1',
]);

test('lengths of parameters, which are part of one declarator', () => {
  const resultWith = (first: string, second = 'int *b') =>
    resultOf(
      `static int g(int n, ${first}, ${second}) { return n + (a != 0 && b != 0); }
       int f(void) { int v[3][4]; return g(3, v, v[0]); }`,
    );
  expect(resultWith('int a[n++][n]')).toBe('unsequenced: n++ and n');
  expect(resultWith('int a[n++][4]')).toBe('5');
  expect(resultWith('int a[n++][4]', 'int b[n]')).toBe('unsequenced: n++ and n');
  expect(resultWith('int a[n][4]', 'int b[n]')).toBe('4');
});

test('a check that is not in force lets compilers choose', () =>
  expect(resultOf('int f(void) { int i = 1; i = i++ + 1; return i; }', { off: ['memsafety'] })).toBe('2'));

test('names both accesses', () =>
  expect(resultOf('int f(void) { int v = 1, *p = &v; return *p + v--; }')).toBe('unsequenced: *p and v--'));
