/* Unsigned bit-fields of more than 32 bits: their arithmetic has just so many bits. */
#include <stdio.h>

struct wide { unsigned long long a : 35, b : 40, c : 64; unsigned u : 3; };

int main(void) {
  struct wide x = { 1ULL << 34, (1ULL << 40) - 1, 5, 7 };
  printf("%llx %llx %llx\n", (unsigned long long)(x.a << 1), (unsigned long long)(x.b + 1),
      (unsigned long long)(x.a * 4 + x.b));
  printf("%llx %llx\n", (unsigned long long)~x.a, (unsigned long long)-x.b);
  printf("%d %d %d %d\n", x.a < -1, x.b == -1, (x.a - x.b) > 0, x.b - x.a * 2 < 0);
  printf("%llx %llx\n", (unsigned long long)(x.b / -1), (unsigned long long)(x.b + x.c));
  x.a += x.b;
  x.b <<= 3;
  printf("%llx %llx\n", (unsigned long long)x.a, (unsigned long long)(x.b++ >> 2));
  return (int)x.b;
}
