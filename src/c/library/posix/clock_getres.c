#include <provest/answers.h>
#include <time.h>
int clock_getres(clockid_t clock, struct timespec *result) {
  (void)clock;
  if (result != 0) {
    long nanoseconds = __provest_usually(1);
    result->tv_sec = 0;
    result->tv_nsec = 0 < nanoseconds && nanoseconds < 1000000000 ? nanoseconds : 1;
  }
  return 0;
}
