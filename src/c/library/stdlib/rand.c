#include <stdlib.h>
/* C fixes no sequence, so a proof may assume none: every call gives any value up to RAND_MAX. A run gets glibc's,
 * unless the test says another. */
extern int __provest_nondet_rand(void);
extern void __provest_seed(unsigned seed);
int rand(void) {
  return __provest_nondet_rand() & RAND_MAX;
}
void srand(unsigned seed) {
  __provest_seed(seed);
}
