#include <stdlib.h>
/* The same sequence as rand, as in glibc. */
long random(void) {
  return rand();
}
void srandom(unsigned seed) {
  srand(seed);
}
