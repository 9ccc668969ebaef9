/* Arithmetic of every integer type on the values where it is interesting. */
#include <stdio.h>
#include <limits.h>

static const long long table[] = {
  0, 1, 2, 3, 7, 8, 100, 127, 128, 129, 254, 255, 256, 1000, 32767, 32768, 65535, 65536, 2147483647, 2147483648LL,
      4294967295LL, 4294967296LL,
  LLONG_MAX - 1, LLONG_MAX, -1, -2, -3, -7, -8, -100, -127, -128, -129, -255, -256, -32768, -32769, -65536,
      -2147483647 - 1, -2147483649LL, LLONG_MIN + 1, LLONG_MIN,
};
#define COUNT (sizeof table / sizeof table[0])

static unsigned long long sum;
static void note(long long value) {
  sum = sum * 31 + (unsigned long long) value;
}

#define OPERATIONS(NAME, TYPE, MIN)                                                        \
  static void NAME(void) {                                                                 \
    for (unsigned i = 0; i < COUNT; i++)                                                   \
      for (unsigned j = 0; j < COUNT; j++) {                                               \
        TYPE a = (TYPE) table[i], b = (TYPE) table[j];                                     \
        note((TYPE) ((unsigned long long) a + (unsigned long long) b));                    \
        note((TYPE) ((unsigned long long) a - (unsigned long long) b));                    \
        note((TYPE) ((unsigned long long) a * (unsigned long long) b));                    \
        if (b != 0 && !((long long) b == -1 && (a) == (MIN))) { note(a / b); note(a % b); } \
        note(a & b); note(a | b); note(a ^ b); note(~a); note(!a);                         \
        note((a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b)); \
        note(a && b); note(a || b); note(a ? b : a);                                       \
        TYPE c = a; c &= b; note(c); c |= 5; note(c); c ^= a; note(c);                     \
      }                                                                                    \
    printf("%-20s %2d %llx\n", #TYPE, (int) sizeof(TYPE), sum);                            \
  }

OPERATIONS(do_char, char, CHAR_MIN)
OPERATIONS(do_schar, signed char, SCHAR_MIN)
OPERATIONS(do_uchar, unsigned char, 0)
OPERATIONS(do_short, short, SHRT_MIN)
OPERATIONS(do_ushort, unsigned short, 0)
OPERATIONS(do_int, int, INT_MIN)
OPERATIONS(do_uint, unsigned int, 0)
OPERATIONS(do_long, long, LONG_MIN)
OPERATIONS(do_ulong, unsigned long, 0)
OPERATIONS(do_llong, long long, LLONG_MIN)
OPERATIONS(do_ullong, unsigned long long, 0)

/* Operands of different types meet in the usual conversions. */
static void mixed(void) {
  for (unsigned i = 0; i < COUNT; i++) {
    long long w = table[i];
    signed char c = (signed char) w; unsigned char uc = (unsigned char) w; short s = (short) w;
    unsigned short us = (unsigned short) w;
    int n = (int) w; unsigned u = (unsigned) w; unsigned long long ull = (unsigned long long) w;
    note(c < u); note(n < u); note(uc < c); note(us > s); note(w < n); note(ull > n); note(c + uc); note(s - us);
    note(u - us);
    note(u + (unsigned) c); note(ull + u); note(uc * us >= 0); note(-uc); note(-us); note(~uc); note((long long) -u);
    note(+c);
    note(c == uc); note(s == us); note(n == (int) u); note((unsigned char) n == uc); note(-1 < u); note(-1L < u);
    note(-1LL < ull);
    n = 5; n += (unsigned char) 250; note(n); c = 100; c += 100; note(c); uc = 200; uc += 100; note(uc); us = 1;
    us -= 2; note(us);
    s = 32767; s++; note(s); c = -128; c--; note(c); uc = 0; note(uc--); note(uc); note(++uc);
    u = 0; note(u--); note(u); note(--u);
  }
  printf("mixed %llx\n", sum);
}

int main(void) {
  do_char(); do_schar(); do_uchar(); do_short(); do_ushort(); do_int(); do_uint(); do_long(); do_ulong(); do_llong();
  do_ullong();
  mixed();
  printf("%d %u %ld %lu %lld %llu\n", INT_MIN, UINT_MAX, LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
  printf("%d %ld %d\n", 'a' + '\xff', 0x80000000 + 0L, (int) sizeof(2147483648));
  printf("%d %d %d\n", (int) sizeof('a'), (int) sizeof(0xffffffff), (int) sizeof(1ull << 40));
  return 0;
}
