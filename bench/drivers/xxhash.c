/* xxHash: the four hashes over lengths that reach every path, at once and in pieces. */
#include <stdio.h>
#include <stdlib.h>
#include "xxhash.h"

static unsigned char data[3000];

int main(void) {
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 2654435761u >> 13);
  static const size_t lengths[] = { 0, 1, 3, 4, 8, 9, 16, 17, 31, 64, 128, 129, 240, 241, 511, 1024, 1025, 3000 };
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t n = lengths[i];
    XXH128_hash_t wide = XXH3_128bits_withSeed(data, n, 42);
    printf("%zu %08x %016llx %016llx %016llx%016llx\n", n, XXH32(data, n, 7), (unsigned long long)XXH64(data, n, 7),
        (unsigned long long)XXH3_64bits(data, n), (unsigned long long)wide.high64, (unsigned long long)wide.low64);
    XXH64_state_t *state = XXH64_createState();
    XXH3_state_t *third = XXH3_createState();
    XXH64_reset(state, 7);
    XXH3_64bits_reset(third);
    for (size_t at = 0, step = 1; at < n; at += step, step = step * 3 % 257) {
      if (step > n - at) step = n - at;
      XXH64_update(state, data + at, step);
      XXH3_64bits_update(third, data + at, step);
    }
    printf("%016llx %016llx\n", (unsigned long long)XXH64_digest(state), (unsigned long long)XXH3_64bits_digest(third));
    XXH64_freeState(state);
    XXH3_freeState(third);
  }
  return 0;
}
