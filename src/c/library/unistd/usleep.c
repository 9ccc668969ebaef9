#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <unistd.h>
/* Time passes only when it is asked for. */
int usleep(unsigned microseconds) {
  (void)microseconds;
  return __provest_usually(0) ? __provest_fail(-EINTR) : 0;
}
