#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "miniz.h"
static unsigned char input[12000], packed[20000], output[12000];
int main(void) {
  for (unsigned i = 0; i < sizeof input; i++) input[i] =
      (unsigned char)("she sells sea shells on the sea shore, "[i * i / 13 % 39] ^ (i / 5000));
  for (int level = 0; level <= 9; level += 3) {
    mz_ulong length = sizeof packed, back = sizeof output;
    int status = mz_compress2(packed, &length, input, sizeof input, level);
    printf("%d: %d %lu %08lx", level, status, length, mz_crc32(0, packed, length));
    status = mz_uncompress(output, &back, packed, length);
    printf(" %d %lu %d\n", status, back, memcmp(input, output, sizeof input));
  }
  printf("%lx %lx %s\n", mz_adler32(1, input, 1000), mz_crc32(0, input, 1000), mz_version());
  packed[20] ^= 0x55; { mz_ulong back = sizeof output;
    printf("%s\n", mz_error(mz_uncompress(output, &back, packed, 500))); }
  return 0;
}
