#include <provest/answers.h>
#include <pthread.h>
int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attributes) {
  if (attributes != 0) __provest_check_read(attributes, sizeof *attributes);
  __provest_check_write(mutex, sizeof *mutex);
  __provest_any_bytes(mutex, sizeof *mutex);
  return 0;
}
