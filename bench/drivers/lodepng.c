/* LodePNG, its source read as C: images of several colour types encoded and decoded; damaged data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lodepng.cpp"

static unsigned char image[24 * 20 * 4];

int main(void) {
  for (int i = 0; i < (int)sizeof image; i++) image[i] = (unsigned char)(i % 4 == 3 ? 255 : i / 4 % 24 * 9 + i / 96 * 5
      + i % 4);
  static const LodePNGColorType types[] = { LCT_GREY, LCT_RGB, LCT_PALETTE, LCT_GREY_ALPHA, LCT_RGBA };
  for (int t = 0; t < 5; t++) {
    unsigned char *png = NULL, *back = NULL;
    size_t size = 0;
    unsigned width, height, error;
    static unsigned char indexed[24 * 20 * 4];
    for (int i = 0; i < 24 * 20 * 4; i++) indexed[i] = image[i];
    if (types[t] == LCT_PALETTE) for (int i = 0; i < 24 * 20; i++) memcpy(indexed + 4 * i, i % 3 ? "\1\2\3\377"
        : "\4\5\6\377", 4);
    LodePNGState state;
    lodepng_state_init(&state);
    state.info_raw.colortype = LCT_RGBA;
    state.info_png.color.colortype = types[t] == LCT_PALETTE ? LCT_RGBA : types[t];
    state.encoder.auto_convert = types[t] == LCT_PALETTE;
    error = types[t] == LCT_GREY || types[t] == LCT_GREY_ALPHA ? lodepng_encode_memory(&png, &size, indexed, 24, 20,
        types[t], 8) : lodepng_encode(&png, &size, indexed, 24, 20, &state);
    lodepng_state_cleanup(&state);
    printf("%d: %u %s %zu %08x\n", types[t], error, lodepng_error_text(error), size, size ? lodepng_crc32(png, size)
        : 0);
    if (size == 0) continue;
    error = lodepng_decode32(&back, &width, &height, png, size);
    printf("%u %ux%u %08x\n", error, width, height, error ? 0 : lodepng_crc32(back, (size_t)width * height * 4));
    free(back);
    for (size_t i = 5; i < size; i += size / 9 + 1) {
      png[i] ^= 0x10;
      error = lodepng_decode32(&back, &width, &height, png, size);
      printf("%u ", error);
      if (!error) free(back);
      png[i] ^= 0x10;
    }
    printf("\n");
    free(png);
  }
  return 0;
}
