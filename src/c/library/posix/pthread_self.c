#include <provest/answers.h>
#include <pthread.h>
pthread_t pthread_self(void) { return 1; }
