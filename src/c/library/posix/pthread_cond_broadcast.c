#include <provest/answers.h>
#include <pthread.h>
int pthread_cond_broadcast(pthread_cond_t *condition) {
  __provest_check_write(condition, sizeof *condition);
  return 0;
}
