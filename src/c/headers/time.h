#ifndef PROVEST_TIME_H
#define PROVEST_TIME_H
#include <sys/types.h>
typedef long clock_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm {
  int tm_sec; int tm_min; int tm_hour; int tm_mday; int tm_mon; int tm_year; int tm_wday; int tm_yday;
  int tm_isdst; long tm_gmtoff; const char *tm_zone;
};
time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *time);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict result);
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict result);
time_t timegm(struct tm *time);
char *asctime(const struct tm *time);
char *ctime(const time_t *time);
size_t strftime(char *restrict target, size_t size, const char *restrict format, const struct tm *restrict time);
int timespec_get(struct timespec *result, int base);
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
typedef int clockid_t;
int clock_gettime(clockid_t clock, struct timespec *result);
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
int clock_getres(clockid_t clock, struct timespec *result);
int nanosleep(const struct timespec *wanted, struct timespec *rest);
#endif
