#include <provest/answers.h>
#include <pthread.h>
int pthread_once(pthread_once_t *control, void (*run)(void)) {
  if (*control != PTHREAD_ONCE_INIT) return 0;
  *control = 1;
  run();
  return 0;
}
