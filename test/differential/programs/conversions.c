/* Every arithmetic type to every other. */
#include <stdio.h>
#include <stdbool.h>
#include <stdint.h>

static void integers(long long w) {
  printf("%lld: %d %d %u %d %u %d %u %ld %lu %d\n", w, (char) w, (signed char) w, (unsigned char) w, (short) w,
      (unsigned short) w, (int) w, (unsigned) w, (long) w,
         (unsigned long) w, (bool) w);
  printf("  %lld %lld %lld\n", (long long) (signed char) w, (long long) (unsigned short) (short) w,
      (long long) (unsigned) (int) w);
  printf("  %a %a %a\n", (double) w, (double) (float) w, (double) (unsigned long long) w);
  printf("  %a %a\n", (double) (float) (int) w, (double) (float) (unsigned long long) w);
}

static void floats(double d) {
  float f = (float) d;
  printf("%a: %a %d %d\n", d, (double) f, (bool) d, !d);
  if (d > -2147483649.0 && d < 2147483648.0) printf("  %d %lld", (int) d, (long long) d);
  if (d > -1 && d < 4294967296.0) printf(" %u", (unsigned) d);
  if (d > -1 && d < 18446744073709551615.0) printf(" %llu", (unsigned long long) d);
  if (d > -129 && d < 128) printf(" %d", (signed char) d);
  if (f > -32769 && f < 32768) printf(" %d", (short) f);
  printf("\n");
}

enum small { NONE, ONE, MANY = 1000, NEGATIVE = -5 };

int main(void) {
  static const long long whole[] = {
    0, 1, -1, 127, 128, 255, 256, -128, -129, 65535, 65536, 2147483647, 2147483648LL, 4294967295LL, 4294967296LL,
        16777217, 33554435, 9007199254740993LL,
    1152921573326323713LL, 9223372036854775807LL, -9223372036854775807LL - 1, 123456789012345678LL,
        -987654321098765432LL,
  };
  for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++) integers(whole[i]);
  static const double real[] = { 0, -0.0, 0.5, -0.5, 0.99999, 1.5, -1.5, 127.9, -128.9, 1e9, 2147483647.5,
      -2147483648.5, 4294967295.5, 1e15, 1e-40, 1e-46, 3.5e38, 1e300, 16777217.0, 0.1 };
  for (unsigned i = 0; i < sizeof real / sizeof *real; i++) floats(real[i]);

  enum small e = MANY;
  char c = (char) e;
  unsigned char from_negative = (unsigned char) NEGATIVE;
  bool b = 256; b += 0; bool from_float = 0.25f; bool from_pointer = &b;
  printf("%d %u %d %d %d %d %d\n", c, from_negative, b, from_float, from_pointer, e == 1000, NEGATIVE < 0);
  b--; printf("%d ", b); b = true; b++; printf("%d ", b); b = 0; b--; printf("%d\n", b);

  int x = 10; x *= 1.55; printf("%d ", x); x /= 0.3; printf("%d ", x); x -= 0.9; printf("%d\n", x);
  unsigned char uc = 200; uc *= 1.2; printf("%u ", uc); uc += -3.5f; printf("%u\n", uc);
  long long l = 1; l += 0.5f; l <<= 33; l += 0.75; printf("%lld\n", l);
  float f = 16777216; f++; printf("%.1f ", f); f += 2; printf("%.1f\n", f);
  printf("%d %d\n", (int) (char) 200, (int) (unsigned char) -56);
  printf("%d\n", (int) ((uint8_t) 255 + (uint8_t) 1));
  printf("%d %d\n", sizeof(char) - 2 > 0, -1 < (unsigned char) 1);
  return 0;
}
