#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_pipe(void);
long __provest_nondet_pipe_other(void);
int pipe(int result[2]) {
  int status;
  int first;
  int second;
  __provest_check_write(result, 2 * sizeof result[0]);
  status = __provest_answer(__provest_nondet_pipe());
  if (status < 0) return status;
  first = (int)(__provest_nondet_pipe_other() & 0x7ffffffe);
  second = first + 1;
  result[0] = first;
  result[1] = second;
  return 0;
}
