#include <provest/world.h>
#include <time.h>
long __provest_microseconds(void);
/* A program starts on 2001-09-09 01:46:40 UTC. In a proof it may be any time of the next 34,000 years, as far as the
 * type goes. */
time_t time(time_t *result) {
  time_t now = (time_t)((unsigned long)__provest_usually(1000000000 + __provest_microseconds() / 1000000)
    & ~0ul >> (sizeof(long) == 8 ? 24 : 1));
  if (result != NULL) *result = now;
  return now;
}
