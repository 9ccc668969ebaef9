#include <provest/answers.h>
#include <pthread.h>
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  __provest_check_write(attributes, sizeof *attributes);
  return 0 <= type && type <= 2 ? 0 : 22;
}
