/** Integers of 128 bits (GNU C): checks, refusals, and the same results as compiled code's next to them. */
import { resultOf } from '../programOf';

const types = 'typedef unsigned __int128 wide; typedef __int128 narrow;';
const check = (name: string, expected: string, body: string): void => {
  test(name, () => expect(resultOf(`${types}\n${body}`)).toBe(expected));
};

describe('checks', () => {
  check(
    'a sum out of range',
    'signed-overflow: x + 1',
    'static narrow m(void) { return (narrow)(~(wide)0 >> 1); } int f(void) { narrow x = m(); return x + 1 > 0; }',
  );
  check(
    'a product out of range',
    'signed-overflow: x * x',
    'int f(void) { narrow x = (narrow)1 << 64; return x * x > 0; }',
  );
  check(
    'products and sums of narrower operands are in range',
    '1',
    'int f(void) { long a = -9223372036854775807l - 1; return (narrow)a * a + a - (narrow)a * -1 > 0; }',
  );
  check(
    'a product of two unsigned operands that is too large for a signed result',
    'signed-overflow: (narrow)a * b',
    'int f(void) { unsigned long a = -1ul, b = a; return (narrow)a * b > 0; }',
  );
  check('division by zero', 'division-by-zero: 1 / x', 'int f(void) { wide x = 0; return 1 / x > 0; }');
  check(
    'division of the minimum by -1',
    'signed-overflow: x / y',
    'int f(void) { narrow x = -(narrow)(~(wide)0 >> 1) - 1, y = -1; return x / y > 0; }',
  );
  check('a shift by 127', '1', 'int f(void) { wide x = 1; int n = 127; return x << n >> 127; }');
  check('a shift by 128', 'shift: x << n', 'int f(void) { wide x = 1; int n = 128; return x << n > 0; }');
  check(
    'a floating value that does not fit',
    'conversion: (narrow)d',
    'int f(void) { double d = 0x1p127; return (narrow)d > 0; }',
  );
  check('a floating value that fits', '1', 'int f(void) { double d = -0x1p127; return (narrow)d < 0; }');
  check(
    'an argument that the format does not name',
    "invalid-call: printf: '%lld' takes 'long long', but argument 2 is '__int128'",
    '#include <stdio.h>\nint f(void) { narrow x = 1; return printf("%lld", x); }',
  );
  check(
    'a variable argument of another width',
    'variable-argument: va_arg(list, long)',
    `#include <stdarg.h>
     static long first(int n, ...) { va_list list; va_start(list, n); long x = va_arg(list, long); va_end(list);
       return x; }
     int f(void) { return first(1, (narrow)1) > 0; }`,
  );
});

describe('refused with a message', () => {
  const refused = (name: string, message: string, text: string, dataModel: 'lp64' | 'ilp32' = 'lp64'): void => {
    test(name, () => expect(() => resultOf(text, { dataModel })).toThrow(message));
  };
  refused('a bit-field', "bit-fields of type '__int128' are not supported", 'struct s { __int128 a : 3; };');
  refused(
    'an index',
    "indices of type 'unsigned __int128' are not supported: cast it",
    'int a[2]; int f(void) { return a[(unsigned __int128)1]; }',
  );
  refused(
    'a distance',
    "indices of type '__int128' are not supported",
    'int a[2]; int f(void) { __int128 i = 1; int *p = a; p += i; return *p; }',
  );
  refused(
    'checked arithmetic',
    'checked arithmetic of 128 bits is not supported',
    'int f(void) { __int128 r; return __builtin_add_overflow((__int128)1, 1, &r); }',
  );
  refused(
    'where pointers have 32 bits',
    "'__int128' does not exist where pointers have 32 bits",
    'int f(void) { return (__int128)1; }',
    'ilp32',
  );
});

test('a function that uses them is called from compiled code', () => {
  const modulus = 0xffff_ffff_ffff_ffc5n;
  let expected = 3n;
  for (let i = 1n; i <= 3000n; i++) expected = (expected * (expected + i)) % modulus;
  expect(
    resultOf(
      `static unsigned long product(unsigned long a, unsigned long b) {
         return (unsigned __int128)a * b % 0xffffffffffffffc5; }
       static unsigned long sum(unsigned long a, unsigned b) {
         return ((unsigned __int128)a + b) % 0xffffffffffffffc5; }
       int f(void) {
         unsigned long x = 3;
         for (unsigned i = 1; i <= 3000; i++) x = product(x, sum(x, i));
         return x == ${expected}u; }`,
    ),
  ).toBe('1');
});
