#include <errno.h>
#include <signal.h>
int sigdelset(sigset_t *set, int number) {
  if (number < 1 || number > 64) {
    errno = EINVAL;
    return -1;
  }
  set->provest_bits &= ~(1ull << (number - 1));
  return 0;
}
