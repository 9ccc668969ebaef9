#include <provest/answers.h>
#include <pthread.h>
int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
  if (attributes != 0) __provest_check_read(attributes, sizeof *attributes);
  __provest_check_write(lock, sizeof *lock);
  __provest_any_bytes(lock, sizeof *lock);
  return 0;
}
