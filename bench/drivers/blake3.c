#include <stdio.h>
#include "blake3.h"
static unsigned char text[9000];
static void show(blake3_hasher *h, size_t length, size_t step, size_t out) {
  unsigned char hash[200];
  for (size_t at = 0; at < length; at += step) blake3_hasher_update(h, text + at, at + step > length ? length - at
      : step);
  blake3_hasher_finalize_seek(h, length % 70, hash, out);
  for (size_t i = 0; i < out; i++) printf("%02x", hash[i]);
  printf("\n");
}
int main(void) {
  static const unsigned char key[BLAKE3_KEY_LEN] = "whats the Elvish word for friend";
  for (unsigned i = 0; i < sizeof text; i++) text[i] = (unsigned char)(i % 251);
  printf("%s\n", blake3_version());
  for (size_t n = 0; n < sizeof text; n = n * 2 + 1) {
    blake3_hasher h;
    blake3_hasher_init(&h); show(&h, n, n / 3 + 1, 32);
    blake3_hasher_init_keyed(&h, key); show(&h, n, n + 1, 131);
    blake3_hasher_init_derive_key(&h, "a context of ours"); show(&h, n, 64, 17);
  }
  return 0;
}
