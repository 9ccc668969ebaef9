#include <stdlib.h>
/* C fixes no sequence, so a proof may assume none: every call gives any value up to RAND_MAX. */
extern int __VERIFIER_nondet_int(void);
int rand(void) {
  return __VERIFIER_nondet_int() & RAND_MAX;
}
void srand(unsigned seed) {
  (void)seed;
}
