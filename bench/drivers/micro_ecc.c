#include <stdio.h>
#include <string.h>
#include "uECC.h"
static unsigned state = 5;
static int draw(uint8_t *target, unsigned size) { while (size--) { state = state * 1664525 + 1013904223;
    *target++ = (uint8_t)(state >> 16); } return 1; }
static void show(const char *name, const uint8_t *bytes, int n) { printf("%s ", name);
  for (int i = 0; i < n; i++) printf("%02x", bytes[i]); printf("\n"); }
int main(void) {
  uECC_Curve curves[] = { uECC_secp160r1(), uECC_secp256r1(), uECC_secp256k1() };
  uECC_set_rng(draw);
  for (int c = 0; c < 3; c++) {
    uint8_t sk[2][32] = { { 0 } }, pk[2][64] = { { 0 } }, shared[2][32] = { { 0 } }, sig[64] = { 0 }, hash[32],
        packed[33] = { 0 }, back[64] = { 0 };
    for (int i = 0; i < 32; i++) hash[i] = (uint8_t)(i * 9 + c);
    for (int who = 0; who < 2; who++) { printf("%d ", uECC_make_key(pk[who], sk[who], curves[c]));
      show("public", pk[who], uECC_curve_public_key_size(curves[c])); }
    printf("%d %d %d\n", uECC_shared_secret(pk[1], sk[0], shared[0], curves[c]),
        uECC_shared_secret(pk[0], sk[1], shared[1], curves[c]), memcmp(shared[0], shared[1], 32));
    show("shared", shared[0], 32);
    printf("%d ", uECC_sign(sk[0], hash, sizeof hash, sig, curves[c])); show("signature", sig, 64);
    printf("%d ", uECC_verify(pk[0], hash, sizeof hash, sig, curves[c])); hash[3] ^= 1;
    printf("%d\n", uECC_verify(pk[0], hash, sizeof hash, sig, curves[c]));
    uECC_compress(pk[0], packed, curves[c]); uECC_decompress(packed, back, curves[c]);
    printf("%d %d\n", memcmp(back, pk[0], 64), uECC_valid_public_key(back, curves[c]));
  }
  return 0;
}
