#include <errno.h>
#include <signal.h>
#include <stddef.h>
static sigset_t mask;
int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
  sigset_t old = mask;
  if (set != NULL) {
    if (how == SIG_BLOCK) mask.provest_bits |= set->provest_bits;
    else if (how == SIG_UNBLOCK) mask.provest_bits &= ~set->provest_bits;
    else if (how == SIG_SETMASK) mask = *set;
    else {
      errno = EINVAL;
      return -1;
    }
  }
  if (before != NULL) *before = old;
  return 0;
}
