#include <time.h>
extern struct tm __provest_calendar;
struct tm *gmtime(const time_t *time) {
  return gmtime_r(time, &__provest_calendar);
}
