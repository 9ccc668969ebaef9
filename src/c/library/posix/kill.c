#include <provest/answers.h>
#include <signal.h>
#include <unistd.h>
long __provest_nondet_kill(void);
/* To itself a program sends a signal as raise does. Others are not there. */
int kill(pid_t process, int number) {
  if (number < 0 || number > 64) return __provest_fail(-22);
  if (process == getpid() || process == 0) return number == 0 ? 0 : raise(number);
  return __provest_answer(__provest_nondet_kill());
}
