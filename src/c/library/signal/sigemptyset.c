#include <signal.h>
int sigemptyset(sigset_t *set) {
  set->provest_bits = 0;
  return 0;
}
