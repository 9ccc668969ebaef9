#include <time.h>
/* The days of the civil calendar, by Howard Hinnant's algorithms: years begin in March, so that a leap day ends one. */
struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict result) {
  long long seconds = *time;
  long long days = seconds / 86400 - (seconds % 86400 < 0);
  long long rest = seconds - days * 86400;
  long long shifted = days + 719468;
  long long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  long long dayOfEra = shifted - era * 146097;
  long long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  long long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  long long month = (5 * dayOfYear + 2) / 153;
  long long year = yearOfEra + era * 400 + (month >= 10);
  int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  result->tm_sec = (int)(rest % 60);
  result->tm_min = (int)(rest / 60 % 60);
  result->tm_hour = (int)(rest / 3600);
  result->tm_mday = (int)(dayOfYear - (153 * month + 2) / 5 + 1);
  result->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
  result->tm_year = (int)(year - 1900);
  result->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
  result->tm_yday = (int)(month < 10 ? dayOfYear + 59 + leap : dayOfYear - 306);
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = "GMT";
  return result;
}
