#include <time.h>
time_t timegm(struct tm *time) {
  long long month = time->tm_mon % 12;
  long long year = 1900LL + time->tm_year + time->tm_mon / 12;
  long long era, yearOfEra, days;
  time_t result;
  if (month < 0) {
    month += 12;
    year--;
  }
  if (month < 2) year--;
  era = (year >= 0 ? year : year - 399) / 400;
  yearOfEra = year - era * 400;
  days = era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100
    + (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5 - 719468;
  result = (time_t)((days + time->tm_mday - 1) * 86400 + time->tm_hour * 3600LL + time->tm_min * 60LL + time->tm_sec);
  gmtime_r(&result, time);
  return result;
}
