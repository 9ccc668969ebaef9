/* The compiler's checked arithmetic on all mixtures of operand and result types, at the edges of their ranges. */
#include <stdio.h>

static const long long edges[] = { 0, 1, -1, 2, -3, 127, 128, -128, 255, 32767, -32769, 65536, 2147483647,
    2147483648LL, -2147483648LL, 4294967295LL, 4294967296LL, 9223372036854775807LL, -9223372036854775807LL - 1 };
#define COUNT ((int)(sizeof edges / sizeof edges[0]))

static unsigned long long hash = 17;
static int overflows;
static void note(_Bool overflow, unsigned long long result) {
  hash = hash * 1000003u ^ result ^ overflow;
  overflows += overflow;
}

#define ONE(operation, A, B, R, i, j) do { A a = (A)edges[i]; B b = (B)edges[j]; R r; \
  _Bool o = __builtin_##operation##_overflow(a, b, &r); note(o, (unsigned long long)r); } while (0)
#define ALL(operation, A, B, R) do { for (int i = 0; i < COUNT; i++) for (int j = 0; j < COUNT; j++) \
    ONE(operation, A, B, R, i, j); } while (0)
#define TYPES(A, B, R) do { ALL(add, A, B, R); ALL(sub, A, B, R); ALL(mul, A, B, R); \
  printf(#A " " #B " " #R " %d %llx\n", overflows, hash); } while (0)

static int calls;
static int next(void) { return ++calls; }

int main(void) {
  TYPES(int, int, int);
  TYPES(unsigned, unsigned, unsigned);
  TYPES(long long, long long, long long);
  TYPES(unsigned long long, unsigned long long, unsigned long long);
  TYPES(unsigned long long, int, unsigned long long);
  TYPES(int, unsigned long long, long long);
  TYPES(long long, unsigned long long, int);
  TYPES(signed char, unsigned short, unsigned char);
  TYPES(short, long, unsigned);
  TYPES(long, unsigned long, short);

  int a, b[3] = { 5, 6, 7 }, *r = b;
  unsigned u;
  long l;
  a = 2147483647;
  printf("%d", __builtin_sadd_overflow(a, 1, &a));
  printf(" %d", a);
  printf(" %d", __builtin_umul_overflow(65536u, 65536u, &u));
  printf(" %u", u);
  printf(" %d", __builtin_ssubl_overflow(a, 1, &l));
  printf(" %ld\n", l);
  /* Each argument is evaluated once. */
  printf("%d", __builtin_add_overflow(next(), next() + b[1], r++));
  printf(" %d %d %d\n", calls, b[0], (int)(r - b));
  return 0;
}
