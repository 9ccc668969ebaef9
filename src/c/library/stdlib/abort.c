#include <signal.h>
#include <stdlib.h>
extern void (*__provest_handlers[65])(int);
/* For programs that handle signals; in others abort is the end at once. A handler that returns changes nothing. */
_Noreturn void abort(void) {
  void (*handler)(int) = __provest_handlers[SIGABRT];
  if (handler != SIG_DFL && handler != SIG_IGN) handler(SIGABRT);
  _Exit(134);
}
