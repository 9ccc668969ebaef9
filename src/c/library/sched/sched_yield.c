#include <sched.h>
int sched_yield(void) {
  return 0;
}
