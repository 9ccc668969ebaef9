#include <provest/world.h>
#include <time.h>
/* The time zone is UTC in a run, and any in a proof. */
time_t mktime(struct tm *time) {
  long long seconds = timegm(time);
  long east = __provest_usually(0) % 86400;
  time->tm_isdst = __provest_usually(0) != 0;
  time->tm_gmtoff = east;
  time->tm_zone = "UTC";
  return (time_t)(seconds - east);
}
