#include <stdio.h>
#include <string.h>
#include "sha256.h"
int main(void) {
  static unsigned char bytes[1500];
  char hex[SHA256_HEX_SIZE];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 31 + (i >> 8));
  for (unsigned n = 0; n <= sizeof bytes; n = n < 130 ? n + 1 : n * 2) { sha256_hex(bytes, n, hex);
    printf("%u %s\n", n, hex); }
  struct sha256 whole;
  sha256_init(&whole);
  for (unsigned at = 0, step = 1; at < sizeof bytes; at += step, step = step * 3 % 97 + 1)
      sha256_append(&whole, bytes + at, at + step > sizeof bytes ? sizeof bytes - at : step);
  sha256_finalize_hex(&whole, hex); printf("%s\n", hex);
  return 0;
}
