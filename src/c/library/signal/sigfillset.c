#include <signal.h>
int sigfillset(sigset_t *set) {
  set->provest_bits = ~0ul;
  return 0;
}
