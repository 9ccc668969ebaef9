#include <provest/answers.h>
#include <pthread.h>
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __provest_check_write(lock, sizeof *lock);
  return 0;
}
