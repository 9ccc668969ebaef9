#include <provest/answers.h>
#include <pthread.h>
/* The same for as long as the program runs. */
pthread_t pthread_self(void) {
  static pthread_t own;
  static int known;
  if (!known) own = (pthread_t)__provest_usually(1);
  known = 1;
  return own;
}
