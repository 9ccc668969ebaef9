#include <signal.h>
int sigfillset(sigset_t *set) {
  set->provest_bits = ~0ull;
  return 0;
}
