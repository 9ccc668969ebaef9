/* Nested loops over ints, with a remainder and a branch inside. */
#include <stdio.h>
int main(void) {
  unsigned total = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < 1000; j++)
      for (int k = 0; k < 10; k++) {
        if ((i + j + k) % 7 == 3) total += (unsigned)(i ^ j);
        else total -= (unsigned)k;
      }
  printf("%u\n", total);
  return 0;
}
