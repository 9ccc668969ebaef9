#include <provest/answers.h>
#include <pthread.h>
int pthread_equal(pthread_t one, pthread_t other) { return one == other; }
