#include <provest/answers.h>
#include <pthread.h>
int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
  if (attributes != 0) __provest_check_read(attributes, sizeof *attributes);
  __provest_check_write(condition, sizeof *condition);
  __provest_any_bytes(condition, sizeof *condition);
  return 0;
}
