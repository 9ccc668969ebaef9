#include <time.h>
struct tm *__provest_broken_down(long long seconds, long east, struct tm *result);
struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict result) {
  return __provest_broken_down(*time, 0, result);
}
