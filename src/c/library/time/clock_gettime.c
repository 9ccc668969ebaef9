#include <time.h>
long __provest_microseconds(void);
int clock_gettime(int clock, struct timespec *result) {
  unsigned long now = (unsigned long)__provest_microseconds() & 0x3fffffff;
  (void)clock;
  result->tv_sec = (time_t)(1000000000 + now / 1000000);
  result->tv_nsec = (long)(now % 1000000 * 1000);
  return 0;
}
