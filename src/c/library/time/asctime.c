#include <errno.h>
#include <stdio.h>
#include <time.h>
char *asctime(const struct tm *time) {
  static char text[64];
  static const char days[] = "SunMonTueWedThuFriSat";
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  int day, month;
  if (time == NULL) {
    errno = EINVAL;
    return NULL;
  }
  day = time->tm_wday;
  month = time->tm_mon;
  snprintf(text, sizeof text, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", 0 <= day && day < 7 ? days + 3 * day : "???", 0 <= month && month < 12 ? months + 3 * month : "???",
    time->tm_mday, time->tm_hour, time->tm_min, time->tm_sec, time->tm_year + 1900);
  return text;
}
