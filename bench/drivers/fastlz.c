#include <stdio.h>
#include <string.h>
#include "fastlz.h"
static unsigned char input[20000], packed[30000], output[20000];
int main(void) {
  for (int level = 1; level <= 2; level++) {
    unsigned sum = 0; int length, back;
    for (unsigned i = 0; i < sizeof input; i++) input[i] =
        (unsigned char)("lorem ipsum dolor sit amet"[i * i / 11 % 26] ^ (i / 5000));
    length = fastlz_compress_level(level, input, sizeof input, packed);
    for (int i = 0; i < length; i++) sum = sum * 31 + packed[i];
    back = fastlz_decompress(packed, length, output, sizeof output);
    printf("%d: %d %08x %d %d\n", level, length, sum, back, memcmp(input, output, sizeof input));
  }
  return 0;
}
