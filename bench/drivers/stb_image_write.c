#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_SIMD
#define STBI_NO_THREAD_LOCALS
#include <stdio.h>
#include <string.h>
#include "stb_image_write.h"
#include "stb_image.h"
static unsigned char file[200000]; static int length;
static void put(void *context, void *data, int size) { (void)context; memcpy(file + length, data, (size_t)size);
  length += size; }
static void check(const char *what) {
  unsigned sum = 0; int w = 0, h = 0, n = 0; unsigned char *p;
  for (int i = 0; i < length; i++) sum = sum * 31 + file[i];
  printf("%s %d bytes %08x", what, length, sum); p = stbi_load_from_memory(file, length, &w, &h, &n, 0); sum = 0;
  for (int i = 0; p && i < w * h * n; i++) sum = sum * 31 + p[i];
  printf(" -> %dx%dx%d %08x\n", w, h, n, sum); stbi_image_free(p); length = 0;
}
int main(void) {
  static unsigned char pixels[48 * 40 * 3];
  for (int i = 0; i < (int)sizeof pixels; i++) pixels[i] = (unsigned char)(i * i / 50 + i / 144 * 3);
  stbi_write_png_to_func(put, NULL, 48, 40, 3, pixels, 48 * 3); check("png");
  stbi_write_bmp_to_func(put, NULL, 48, 40, 3, pixels); check("bmp");
  stbi_write_tga_to_func(put, NULL, 48, 40, 3, pixels); check("tga");
  stbi_write_jpg_to_func(put, NULL, 48, 40, 3, pixels, 80); check("jpg");
  return 0;
}
