#include <stdio.h>
#include <string.h>
#include "lz4.h"
#include "lz4hc.h"
#include "xxhash.h"
static char input[15000], packed[20000], output[15000];
int main(void) {
  for (unsigned i = 0; i < sizeof input; i++) input[i] = (char)("peter piper picked a peck "[i * i / 17 % 26] ^
      (i / 6000));
  for (int level = 0; level <= 12; level += 4) {
    int length = level == 0 ? LZ4_compress_default(input, packed, sizeof input, sizeof packed)
        : LZ4_compress_HC(input, packed, sizeof input, sizeof packed, level);
    int back = LZ4_decompress_safe(packed, output, length, sizeof output);
    printf("%d: %d %08x %016llx %d %d\n", level, length, XXH32(packed, (size_t)length, 0),
        (unsigned long long)XXH64(packed, (size_t)length, 1), back, memcmp(input, output, sizeof input));
  }
  printf("%d %d\n", LZ4_versionNumber() > 0, LZ4_decompress_safe(packed, output, 100, 50));
  return 0;
}
