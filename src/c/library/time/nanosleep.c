#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <time.h>
/* Time passes only when it is asked for. */
int nanosleep(const struct timespec *wanted, struct timespec *rest) {
  if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) return __provest_fail(-EINVAL);
  if (!__provest_usually(0)) return 0;
  if (rest != NULL) {
    rest->tv_sec = (time_t)__provest_usually(0);
    rest->tv_nsec = __provest_usually(0);
  }
  return __provest_fail(-EINTR);
}
