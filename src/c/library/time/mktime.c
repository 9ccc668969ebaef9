#include <time.h>
/* The time zone is UTC. */
time_t mktime(struct tm *time) {
  time_t result = timegm(time);
  time->tm_zone = "UTC";
  return result;
}
