#include <stdio.h>
#include <string.h>
#include "zlib.h"
static unsigned char input[12000], packed[20000], output[12000];
int main(void) {
  for (unsigned i = 0; i < sizeof input; i++) input[i] =
      (unsigned char)("how much wood would a woodchuck chuck "[i * i / 13 % 38] ^ (i / 5000));
  for (int level = 0; level <= 9; level += 3) {
    uLongf length = sizeof packed, back = sizeof output;
    int status = compress2(packed, &length, input, sizeof input, level);
    printf("%d: %d %lu %08lx", level, status, length, crc32(0, packed, (uInt)length));
    status = uncompress(output, &back, packed, length);
    printf(" %d %lu %d\n", status, back, memcmp(input, output, sizeof input));
  }
  printf("%lx %lx\n", adler32(1, input, 1000), crc32(0, input, 1000));
  return 0;
}
