#include <errno.h>
#include <stdio.h>
#include <time.h>
char *asctime(const struct tm *time) {
  static char text[64];
  static const char days[] = "SunMonTueWedThuFriSat";
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const char *day = "???", *month = "???";
  if (time == NULL) {
    errno = EINVAL;
    return NULL;
  }
  if (0 <= time->tm_wday && time->tm_wday < 7) day = days + 3 * time->tm_wday;
  if (0 <= time->tm_mon && time->tm_mon < 12) month = months + 3 * time->tm_mon;
  snprintf(text, sizeof text, "%c%c%c %c%c%c%3d %.2d:%.2d:%.2d %d\n", day[0], day[1], day[2], month[0], month[1],
      month[2], time->tm_mday, time->tm_hour, time->tm_min, time->tm_sec, time->tm_year + 1900);
  return text;
}
