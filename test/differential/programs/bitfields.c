/* Bit-fields of all types and widths, across storage units, in unions, with compound assignments. */
#include <stdio.h>
#include <string.h>
#include <stdbool.h>

struct flags { unsigned a : 1; unsigned b : 3; signed c : 4; unsigned d : 9; int e : 15; unsigned f : 31; bool g : 1;
  unsigned char h : 7; };
struct wide { unsigned long long low : 36; long long high : 28; unsigned long long rest : 60; };
struct split { char c : 5; int : 0; char d : 5; short e : 12; int : 4; int f : 17; };
struct full { unsigned whole : 32; int negative : 32; unsigned long long long_whole : 64; };
union view { struct flags flags; unsigned char bytes[sizeof(struct flags)]; };

static void dump(const void *data, size_t size) {
  const unsigned char *p = data;
  for (size_t i = 0; i < size; i++) printf("%02x", p[i]);
  printf("\n");
}

static struct flags make(int seed) {
  struct flags f;
  memset(&f, 0, sizeof f);
  f.a = seed; f.b = seed >> 1; f.c = seed; f.d = seed * 3; f.e = -seed; f.f = (unsigned) seed * 123457u;
  f.g = seed & 2; f.h = seed;
  return f;
}

static void show(struct flags f) {
  printf("%u %u %d %u %d %u %d %u\n", f.a, f.b, f.c, f.d, f.e, f.f, f.g, f.h);
}

int main(void) {
  printf("%zu %zu %zu %zu\n", sizeof(struct flags), sizeof(struct wide), sizeof(struct split), sizeof(struct full));
  for (int seed = 0; seed < 40; seed += 3) {
    union view v;
    memset(&v, 0, sizeof v);
    v.flags = make(seed);
    show(v.flags);
    dump(v.bytes, sizeof v.bytes);
  }
  struct flags f = make(5);
  printf("%d %d %d\n", f.a++, ++f.b, f.c--); show(f);
  f.d += 600; f.e *= -3; f.f <<= 5; f.h ^= 0x55; f.g = 4; f.c = 7; f.c += 1; f.b -= 7; show(f);
  printf("%d\n", (f.d = 1023, f.d)); printf("%d\n", f.c = 9); printf("%d\n", f.b > -1);
  printf("%d %d\n", f.b - 8 < 0, f.f - 8 < 0);

  struct wide w;
  memset(&w, 0, sizeof w);
  w.low = 0x123456789abcULL; w.high = -5; w.rest = ~0ULL;
  printf("%llx %lld %llx\n", (unsigned long long) w.low, (long long) w.high, (unsigned long long) w.rest);
  w.low += 0xf00000000ULL; w.high *= 1000; w.rest >>= 30; dump(&w, sizeof w);

  struct split s;
  memset(&s, 0, sizeof s);
  s.c = 15; s.d = -1; s.e = 2047; s.f = -65536; dump(&s, sizeof s); s.c++; s.e++; s.f--;
  printf("%d %d %d %d\n", s.c, s.d, s.e, s.f);
  struct full u = { 0xdeadbeef, -7, 0x123456789abcdef0ULL }; u.whole++; u.negative -= 2147483640;
  u.long_whole = -u.long_whole; printf("%x %d %llx\n", u.whole, u.negative, (unsigned long long) u.long_whole);

  struct { unsigned x : 4, y : 4; } pairs[3] = { { 1, 2 }, { .y = 15 }, { 17 & 15, 3 } };
  for (int i = 0; i < 3; i++) printf("%u.%u ", pairs[i].x, pairs[i].y);
  struct { unsigned x : 4, y : 4; } *p = (void *) &pairs[1]; p->x = 9; p->y &= ~2;
  printf("%u %u\n", pairs[1].x, pairs[1].y);
  return 0;
}
