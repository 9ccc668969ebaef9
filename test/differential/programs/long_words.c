/* Integers of 128 bits, which exist where pointers have 64. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide;
typedef __int128_t narrow;

static void show(const char *what, wide x) {
  printf("%s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x);
}

struct pair { char tag; __int128 value; short after; };
union parts { wide whole; uint64_t words[2]; unsigned char bytes[16]; };
static wide table[3] = { 1, (wide)1 << 100, -1 };
static narrow counter = -5;
static wide *where = &table[1];

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
static wide any(void) {
  wide x = (wide)next() << 64 | next();
  switch (next() % 6) {
  case 0: return x & 0xff;
  case 1: return (uint64_t)x;
  case 2: return -(x & 0xffff);
  case 3: return (wide)1 << (next() % 128);
  default: return x;
  }
}
static wide sum(int n, ...) {
  va_list list;
  wide total = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) total += va_arg(list, wide) * (unsigned)va_arg(list, int);
  va_end(list);
  return total;
}
static narrow twice(narrow x, int unused) { (void)unused; return x * 2; }

static void operations(void) {
  wide mixed = 0;
  for (int i = 0; i < 200; i++) {
    wide a = any(), b = any();
    narrow s = (narrow)a, t = (narrow)b;
    unsigned n = next() % 128;
    mixed = mixed * 31 + (a + b);
    mixed = mixed * 31 + (a - b);
    mixed = mixed * 31 + a * b;
    if (b) mixed = mixed * 31 + a / b, mixed = mixed * 31 + a % b;
    if (t && t != -1) mixed = mixed * 31 + (wide)(s / t), mixed = mixed * 31 + (wide)(s % t);
    mixed = mixed * 31 + ((a & b) ^ (a | ~b));
    mixed = mixed * 31 + (a << n) + (a >> n) + (wide)(s >> n);
    mixed = mixed * 31 + (a < b) + 2 * (s < t) + 4 * (a == b) + 8 * (s <= t) + 16 * !a;
    mixed = mixed * 31 + (wide)(narrow)(int8_t)a + (uint16_t)a + (wide)(int32_t)a + (uint64_t)a + (wide)(int64_t)a;
    mixed = mixed * 31 + (wide)(a > b ? (double)a / 4 : 0) + (wide)(narrow)(double)(s / 2) + (uint32_t)(_Bool)a;
    mixed = mixed * 31 + (wide)((float)(uint64_t)a / 2) + (wide)(narrow)(float)(s / 1024);
    mixed = mixed * 31 + (wide)__builtin_popcountll((unsigned long long)a);
    a += b; a ^= s; a <<= 3; a++; b--;
    mixed = mixed * 31 + a + b;
  }
  show("operations", mixed);
}

int main(void) {
  operations();
  printf("%zu %zu %zu %zu\n", sizeof(wide), _Alignof(wide), sizeof(struct pair), sizeof(union parts));
  struct pair p = { 1, -2, 3 };
  struct pair q = p;
  q.value *= 1000000000000;
  show("pair", (wide)(p.value + q.value));
  union parts u = { (wide)0x0123456789abcdef << 64 | 0xfedcba9876543210 };
  printf("%llx %llx %x\n", (unsigned long long)u.words[0], (unsigned long long)u.words[1], u.bytes[15]);
  u.bytes[8] = 0;
  show("union", u.whole);
  *where += table[0];
  show("table", table[0] + table[1] + table[2]);
  counter += twice(counter, 1) + (narrow)(wide)3;
  show("counter", (wide)counter);
  show("sum", sum(3, (wide)1 << 90, 1, (wide)7, 2, -(wide)1, 3));
  show("shift", (wide)1 << 127 >> 64 | 1u << 31);
  show("minimum", (wide)(-(narrow)(~(wide)0 >> 1) - 1));
  wide copy[2];
  memcpy(copy, table, sizeof copy);
  show("copy", copy[1] - copy[0]);
  switch ((narrow)copy[0]) {
  case 1: puts("one"); break;
  default: puts("other");
  }
  printf("%d %d\n", (wide)-1 > 0, (narrow)-1 > 0);
  printf("%d\n", _Generic((wide)0 + 1ull, wide: 1, default: 0) + 2 * _Generic((narrow)0 + 1ull, narrow: 1, default: 0));
  printf("%.6g %.6g\n", (double)~(wide)0, (double)(float)((narrow)1 << 126));
  return 0;
}
#else
int main(void) { return 0; }
#endif
