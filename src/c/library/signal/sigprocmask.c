#include <errno.h>
#include <provest/signals.h>
#include <stddef.h>
int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
  unsigned long long old = __provest_signals.blocked;
  if (set != NULL) {
    unsigned long long blocked = set->provest_bits;
    if (how == SIG_BLOCK) blocked |= old;
    else if (how == SIG_UNBLOCK) blocked = old & ~blocked;
    else if (how != SIG_SETMASK) {
      errno = EINVAL;
      return -1;
    }
    __provest_signals.blocked = blocked & ~(PROVEST_SIGNAL_BIT(SIGKILL) | PROVEST_SIGNAL_BIT(SIGSTOP));
  }
  if (before != NULL) before->provest_bits = old;
  __provest_deliver(0);
  return 0;
}
