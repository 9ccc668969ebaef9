#include <time.h>
struct tm *localtime(const time_t *time) {
  static struct tm result;
  return localtime_r(time, &result);
}
