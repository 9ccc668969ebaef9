#include <provest/answers.h>
#include <pthread.h>
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  __provest_check_write(mutex, sizeof *mutex);
  return 0;
}
