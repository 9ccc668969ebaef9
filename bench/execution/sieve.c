/* Sieve of Eratosthenes in a static array, several times. */
#include <stdio.h>
static unsigned char composite[200000];
int main(void) {
  int found = 0;
  for (int round = 0; round < SIZE; round++) {
    found = 0;
    for (int i = 0; i < 200000; i++) composite[i] = 0;
    for (int i = 2; i < 200000; i++) {
      if (composite[i]) continue;
      found++;
      for (int j = 2 * i; j < 200000; j += i) composite[j] = 1;
    }
  }
  printf("%d\n", found);
  return 0;
}
