#include <time.h>
extern struct tm __provest_calendar;
struct tm *localtime(const time_t *time) {
  return localtime_r(time, &__provest_calendar);
}
