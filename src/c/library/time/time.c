#include <time.h>
long __provest_microseconds(void);
/* A program starts on 2001-09-09 01:46:40 UTC. */
time_t time(time_t *result) {
  time_t now = (time_t)(1000000000 + (__provest_microseconds() / 1000000 & 0x3fffffff));
  if (result != NULL) *result = now;
  return now;
}
