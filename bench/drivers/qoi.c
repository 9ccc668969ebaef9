/* QOI: an image with every kind of chunk, encoded and decoded; damaged data. */
#include <stdio.h>
#include <string.h>
#define QOI_IMPLEMENTATION
#define QOI_NO_STDIO
#include "qoi.h"

static unsigned char pixels[48 * 40 * 4];

int main(void) {
  for (int channels = 3; channels <= 4; channels++) {
    for (int y = 0, i = 0; y < 40; y++) for (int x = 0; x < 48; x++, i += channels) {
      pixels[i] = (unsigned char)(y < 10 ? 7 : x * 3 + y);
      pixels[i + 1] = (unsigned char)(y < 20 ? 9 : x * y);
      pixels[i + 2] = (unsigned char)(y < 30 ? y / 4 : x ^ y);
      if (channels == 4) pixels[i + 3] = (unsigned char)(x < 24 ? 255 : y);
    }
    qoi_desc desc = { 48, 40, (unsigned char)channels, QOI_SRGB }, got;
    int size;
    unsigned char *data = qoi_encode(pixels, &desc, &size);
    unsigned sum = 0;
    for (int i = 0; i < size; i++) sum = sum * 31 + data[i];
    unsigned char *back = qoi_decode(data, size, &got, 0);
    printf("%d %08x %ux%u %d %d\n", size, sum, got.width, got.height, got.channels,
        memcmp(back, pixels, 48 * 40 * (size_t)channels));
    QOI_FREE(back);
    for (int i = 20; i < size; i += 37) data[i] ^= 0x55;
    back = qoi_decode(data, size - 100, &got, 4);
    sum = 0;
    for (int i = 0; i < 48 * 40 * 4; i++) sum = sum * 31 + back[i];
    printf("%08x\n", sum);
    QOI_FREE(back);
    data[0] = 'x';
    printf("%d\n", qoi_decode(data, size, &got, 4) == NULL);
    QOI_FREE(data);
  }
  return 0;
}
