/* Shifts of every type by every amount, and the idioms built from them. */
#include <stdio.h>
#include <stdint.h>

static uint64_t sum;
static void note(uint64_t value) { sum = (sum << 7 | sum >> 57) ^ value; }

static const uint64_t patterns[] = { 0, 1, 0x80, 0xff, 0x1234, 0x8000, 0xffff, 0x12345678, 0x80000000, 0xffffffff,
    0x123456789abcdef0, 0x8000000000000000, 0xffffffffffffffff };

static uint32_t rotate32(uint32_t x, unsigned n) { n &= 31; return x << n | x >> (-n & 31); }
static uint64_t rotate64(uint64_t x, unsigned n) { n &= 63; return x << n | x >> (-n & 63); }

static int bits(uint64_t x) {
  int count = 0;
  while (x) { x &= x - 1; count++; }
  return count;
}

static uint32_t crc(const char *text) {
  uint32_t r = 0xffffffff;
  for (; *text; text++) {
    r ^= (unsigned char) *text;
    for (int k = 0; k < 8; k++) r = r & 1 ? r >> 1 ^ 0xedb88320u : r >> 1;
  }
  return ~r;
}

int main(void) {
  for (unsigned p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
    for (int n = 0; n < 32; n++) {
      uint32_t u = (uint32_t) patterns[p]; int32_t s = (int32_t) patterns[p];
      uint16_t h = (uint16_t) patterns[p]; int8_t c = (int8_t) patterns[p];
      note(u << n); note(u >> n); note((uint64_t) (s >> n)); note((uint64_t) (int64_t) ((uint32_t) s << n));
      if (n < 15) { note((unsigned) (h << n)); note((uint64_t) (c >> n)); }
      u <<= n; note(u); s >>= n; note((uint64_t) s);
      h = (uint16_t) (h >> (n & 15)); note(h); c >>= n & 7; note((uint64_t) c);
      note(rotate32((uint32_t) patterns[p], (unsigned) n));
    }
    for (long long n = 0; n < 64; n++) {
      uint64_t u = patterns[p]; int64_t s = (int64_t) patterns[p];
      note(u << n); note(u >> (unsigned char) n); note((uint64_t) (s >> (short) n)); note(rotate64(u, (unsigned) n));
    }
    printf("%d ", bits(patterns[p]));
  }
  printf("\n%016llx\n", (unsigned long long) sum);
  printf("%08x\n", crc("The quick brown fox jumps over the lazy dog"));
  printf("%d %d %u\n", -1 >> 31, -256 >> 4, 0xfffffff0u >> 4);
  return 0;
}
