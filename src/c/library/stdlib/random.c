#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
long random(void) {
  return __VERIFIER_nondet_int() & RAND_MAX;
}
void srandom(unsigned seed) {
  (void)seed;
}
