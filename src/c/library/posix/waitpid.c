#include <provest/answers.h>
#include <sys/wait.h>
long __provest_nondet_waitpid(void);
int __provest_nondet_wait_status(void);
/* Of a process that ended, that a signal ended, or, if asked for, that was stopped. */
static int status_of(int status, int options) {
  if ((status & 0x7f) == 0) return status & 0xff00;
  if ((status & 0x7f) != 0x7f) return status & 0xff;
  return (options & WUNTRACED) != 0 ? (status & 0xff00) | 0x7f : status & 0xff00;
}
pid_t waitpid(pid_t process, int *status, int options) {
  int result = __provest_descriptor(__provest_nondet_waitpid());
  if (result == 0 && (options & WNOHANG) == 0) result = 1;
  if (result > 0 && process > 0) result = process;
  if (status != 0 && result > 0) *status = status_of(__provest_nondet_wait_status(), options);
  return result;
}
