#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "brieflz.h"
static unsigned char input[8000], output[8000];
int main(void) {
  for (unsigned i = 0; i < sizeof input; i++) input[i] = (unsigned char)("to be or not to be, "[i * i / 9 % 20] ^
      (i / 3000));
  for (int level = 1; level <= 10; level += 3) {
    unsigned sum = 0; unsigned long length, back, safe;
    unsigned char *packed = malloc(blz_max_packed_size(sizeof input));
    void *work = malloc(blz_workmem_size_level(sizeof input, level));
    length = blz_pack_level(input, packed, sizeof input, work, level);
    for (unsigned long i = 0; i < length; i++) sum = sum * 31 + packed[i];
    back = blz_depack(packed, output, sizeof input); safe = blz_depack_safe(packed, length, output, sizeof input);
    printf("%d: %lu %08x %lu %lu %d\n", level, length, sum, back, safe, memcmp(input, output, sizeof input));
    free(packed); free(work);
  }
  return 0;
}
