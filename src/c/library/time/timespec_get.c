#include <time.h>
int timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(0, result);
  return base;
}
