#include <errno.h>
#include <provest/signals.h>
#include <stddef.h>
/* As signal: the handler is called by raise only, so one that wants a siginfo_t is refused. */
int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict before) {
  if (number < 1 || number > 64
      || (action != NULL && (number == SIGKILL || number == SIGSTOP || (action->sa_flags & SA_SIGINFO) != 0))) {
    errno = EINVAL;
    return -1;
  }
  if (before != NULL) {
    *before = __provest_actions[number];
    before->sa_handler = __provest_handlers[number];
  }
  if (action != NULL) {
    __provest_actions[number] = *action;
    __provest_handlers[number] = action->sa_handler;
    if (action->sa_handler == SIG_IGN) __provest_signals.pending &= ~PROVEST_SIGNAL_BIT(number);
  }
  return 0;
}
