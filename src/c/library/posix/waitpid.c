#include <provest/answers.h>
#include <sys/wait.h>
long __provest_nondet_waitpid(void);
int __provest_nondet_wait_status(void);
pid_t waitpid(pid_t process, int *status, int options) {
  int result = __provest_descriptor(__provest_nondet_waitpid());
  if (result == 0 && (options & WNOHANG) == 0) result = 1;
  if (result > 0 && process > 0) result = process;
  if (status != 0 && result > 0) *status = __provest_nondet_wait_status();
  return result;
}
