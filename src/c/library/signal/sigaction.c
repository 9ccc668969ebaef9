#include <errno.h>
#include <signal.h>
#include <string.h>
extern void (*__provest_handlers[65])(int);
static struct sigaction actions[65];
/* As signal: the handler is called by raise only, so one that wants a siginfo_t is refused. */
int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict before) {
  if (number < 1 || number > 64 || (action != NULL && (number == SIGKILL || number == SIGSTOP || (action->sa_flags & SA_SIGINFO) != 0))) {
    errno = EINVAL;
    return -1;
  }
  if (before != NULL) {
    *before = actions[number];
    before->sa_handler = __provest_handlers[number];
  }
  if (action != NULL) {
    actions[number] = *action;
    __provest_handlers[number] = action->sa_handler;
  }
  return 0;
}
