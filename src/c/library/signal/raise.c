#include <errno.h>
#include <provest/signals.h>
/* A blocked signal waits until it is not (POSIX); signals that wait are not counted. */
int raise(int number) {
  if (number < 0 || number > 64) {
    errno = EINVAL;
    return -1;
  }
  if (number == 0) return 0;
  if ((__provest_signals.blocked & PROVEST_SIGNAL_BIT(number)) == 0) __provest_deliver(number);
  else if (__provest_handlers[number] != SIG_IGN) __provest_signals.pending |= PROVEST_SIGNAL_BIT(number);
  return 0;
}
