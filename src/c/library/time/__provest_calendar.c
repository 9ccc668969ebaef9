#include <time.h>
/* Of gmtime and localtime, which may share it (C11 7.27.3p1) and with glibc do. */
struct tm __provest_calendar;
