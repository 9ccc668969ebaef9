#include <provest/world.h>
#include <time.h>
struct tm *__provest_broken_down(long long seconds, long east, struct tm *result);
/* The time zone is UTC in a run, and any in a proof. */
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict result) {
  if (__provest_broken_down(*time, __provest_usually(0) % 86400, result) == NULL) return NULL;
  result->tm_isdst = __provest_usually(0) != 0;
  result->tm_zone = "UTC";
  return result;
}
