#include <stdio.h>
#include "sha3.h"
static void show(unsigned bits, const unsigned char *text, size_t length, size_t step, int keccak) {
  sha3_context c;
  if (sha3_Init(&c, bits) != SHA3_RETURN_OK) { printf("no %u\n", bits); return; }
  if (keccak) sha3_SetFlags(&c, SHA3_FLAGS_KECCAK);
  for (size_t at = 0; at < length; at += step) sha3_Update(&c, text + at, at + step > length ? length - at : step);
  const unsigned char *hash = sha3_Finalize(&c);
  for (unsigned i = 0; i < bits / 8; i++) printf("%02x", hash[i]);
  printf("\n");
}
int main(void) {
  static unsigned char text[600];
  for (unsigned i = 0; i < sizeof text; i++) text[i] = (unsigned char)(i * 7 + 3);
  static const unsigned sizes[] = { 256, 384, 512, 100 };
  for (int s = 0; s < 4; s++) for (size_t n = 0; n < sizeof text; n = n * 2 + 3) for (int k = 0; k < 2; k++)
      show(sizes[s], text, n, 1 + n / 3, k);
  return 0;
}
