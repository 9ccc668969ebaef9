#include <errno.h>
#include <signal.h>
/* Nothing sends signals: a handler is remembered, and called by raise only. */
extern void (*__provest_handlers[65])(int);
void (*signal(int number, void (*handler)(int)))(int) {
  void (*before)(int) = 0;
  if (1 <= number && number <= 64) {
    before = __provest_handlers[number];
    __provest_handlers[number] = handler;
  } else {
    errno = EINVAL;
  }
  return before;
}
