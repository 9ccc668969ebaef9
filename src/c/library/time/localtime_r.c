#include <time.h>
/* The time zone is UTC. */
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict result) {
  gmtime_r(time, result);
  result->tm_zone = "UTC";
  return result;
}
