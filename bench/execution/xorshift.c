/* 64-bit xorshift and multiplication. */
#include <stdint.h>
#include <stdio.h>
int main(void) {
  uint64_t state = 88172645463325252u, sum = 0;
  for (int i = 0; i < SIZE; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    sum += (state * 2685821657736338717u) >> 32;
  }
  printf("%llu %llu\n", (unsigned long long)state, (unsigned long long)sum);
  return 0;
}
