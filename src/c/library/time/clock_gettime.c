#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <time.h>
long __provest_microseconds(void);
/* Linux has twelve clocks. */
int clock_gettime(int clock, struct timespec *result) {
  unsigned long now = (unsigned long)__provest_microseconds() & 0x3fffffff;
  if (clock < 0 || clock > 11) return __provest_fail(-EINVAL);
  result->tv_sec = (time_t)((unsigned long)__provest_usually((long)(1000000000 + now / 1000000))
    & ~0ul >> (sizeof(long) == 8 ? 24 : 1));
  result->tv_nsec = (long)((unsigned long)__provest_usually((long)(now % 1000000 * 1000)) % 1000000000);
  return 0;
}
