#include <errno.h>
#include <stddef.h>
#include <time.h>
/*
 * The time so many seconds east of UTC; NULL where the year is too great for its member, as with glibc. The days of the
 * civil calendar are by Howard Hinnant's algorithms: years begin in March, so that a leap day ends one.
 */
struct tm *__provest_broken_down(long long seconds, long east, struct tm *result) {
  long long days, rest, shifted, era, dayOfEra, yearOfEra, dayOfYear, month, year;
  int leap;
  if (seconds < -67768040609740800 || seconds > 67768036191676799) {
    errno = EOVERFLOW;
    return NULL;
  }
  seconds += east;
  days = seconds / 86400 - (seconds % 86400 < 0);
  rest = seconds - days * 86400;
  shifted = days + 719468;
  era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  dayOfEra = shifted - era * 146097;
  yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  month = (5 * dayOfYear + 2) / 153;
  year = yearOfEra + era * 400 + (month >= 10);
  leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  result->tm_sec = (int)(rest % 60);
  result->tm_min = (int)(rest / 60 % 60);
  result->tm_hour = (int)(rest / 3600);
  result->tm_mday = (int)(dayOfYear - (153 * month + 2) / 5 + 1);
  result->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
  result->tm_year = (int)(year - 1900);
  result->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
  result->tm_yday = (int)(month < 10 ? dayOfYear + 59 + leap : dayOfYear - 306);
  result->tm_isdst = 0;
  result->tm_gmtoff = east;
  result->tm_zone = "GMT";
  return result;
}
