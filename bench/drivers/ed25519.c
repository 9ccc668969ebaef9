#include <stdio.h>
#include <string.h>
#include "ed25519.h"
static void show(const char *name, const unsigned char *bytes, int n) { printf("%s ", name);
  for (int i = 0; i < n; i++) printf("%02x", bytes[i]); printf("\n"); }
int main(void) {
  unsigned char seed[32], pk[2][32], sk[2][64], sig[64], scalar[32], shared[2][32];
  const unsigned char text[] = "Hello, world!";
  for (int who = 0; who < 2; who++) { for (int i = 0; i < 32; i++) seed[i] = (unsigned char)(i * 5 + who);
    ed25519_create_keypair(pk[who], sk[who], seed); show("public", pk[who], 32); }
  ed25519_sign(sig, text, sizeof text - 1, pk[0], sk[0]); show("signature", sig, 64);
  printf("%d", ed25519_verify(sig, text, sizeof text - 1, pk[0])); sig[9] ^= 1;
  printf(" %d\n", ed25519_verify(sig, text, sizeof text - 1, pk[0]));
  ed25519_key_exchange(shared[0], pk[1], sk[0]); ed25519_key_exchange(shared[1], pk[0], sk[1]);
  show("shared", shared[0], 32); printf("%d\n", memcmp(shared[0], shared[1], 32));
  for (int i = 0; i < 32; i++) scalar[i] = (unsigned char)(200 - i);
  ed25519_add_scalar(pk[0], sk[0], scalar); show("moved", pk[0], 32);
  return 0;
}
