#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_pipe(void);
long __provest_nondet_pipe_other(void);
int pipe(int result[2]) {
  long answer;
  int first;
  int second;
  __provest_check_write(result, 2 * sizeof result[0]);
  answer = __provest_nondet_pipe();
  if (answer < 0) return __provest_fail(answer);
  first = (int)(answer & 0x7fffffff);
  second = (int)(__provest_nondet_pipe_other() & 0x7fffffff);
  if (second == first) second = first ^ 1;
  result[0] = first;
  result[1] = second;
  return 0;
}
