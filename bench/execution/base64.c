/* Base64 there and back, in local buffers: blocks of three bytes, digits looked up by strchr. */
#include <stdio.h>
#include <string.h>
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static size_t encode(const unsigned char *in, size_t n, char *out) {
  size_t o = 0;
  for (size_t i = 0; i < n; i += 3) {
    unsigned char block[3] = {0, 0, 0};
    size_t left = n - i < 3 ? n - i : 3;
    for (size_t k = 0; k < left; k++) block[k] = in[i + k];
    unsigned v = (unsigned)block[0] << 16 | block[1] << 8 | block[2];
    out[o++] = digits[v >> 18 & 63];
    out[o++] = digits[v >> 12 & 63];
    out[o++] = left > 1 ? digits[v >> 6 & 63] : '=';
    out[o++] = left > 2 ? digits[v & 63] : '=';
  }
  out[o] = '\0';
  return o;
}
static int decode(const char *in, unsigned char *out) {
  int o = 0;
  for (; *in; in += 4) {
    unsigned v = 0; int pad = 0;
    for (int k = 0; k < 4; k++) {
      const char *p = in[k] == '=' ? digits : strchr(digits, in[k]);
      if (in[k] == '=') pad++;
      if (!p) return -1;
      v = v << 6 | (unsigned)(p - digits);
    }
    out[o++] = v >> 16; if (pad < 2) out[o++] = v >> 8 & 255; if (pad < 1) out[o++] = v & 255;
  }
  return o;
}
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < SIZE; i++) {
    unsigned char bytes[50], back[60]; char text[80];
    for (int k = 0; k < 50; k++) bytes[k] = (i * 7 + k * 13) & 255;
    size_t n = encode(bytes, 50, text);
    int m = decode(text, back);
    if (m != 50 || memcmp(bytes, back, 50) != 0) return 1;
    sum = sum * 31 + n + text[i % 60];
  }
  printf("%u\n", sum);
  return 0;
}
