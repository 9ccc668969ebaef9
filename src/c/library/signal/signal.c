#include <errno.h>
#include <provest/signals.h>
/* Nothing sends signals: a handler is remembered, and called by raise only. It stays, and its signal is blocked while
 * it runs, as with glibc. */
void (*signal(int number, void (*handler)(int)))(int) {
  void (*before)(int);
  if (number < 1 || number > 64 || number == SIGKILL || number == SIGSTOP || handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  before = __provest_handlers[number];
  __provest_handlers[number] = handler;
  __provest_actions[number].sa_flags = 0;
  __provest_actions[number].sa_mask.provest_bits = 0;
  if (handler == SIG_IGN) __provest_signals.pending &= ~PROVEST_SIGNAL_BIT(number);
  return before;
}
