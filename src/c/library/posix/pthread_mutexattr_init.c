#include <provest/answers.h>
#include <pthread.h>
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  __provest_check_write(attributes, sizeof *attributes);
  return 0;
}
