#include <errno.h>
static int provest_errno;
int *__errno_location(void) {
  return &provest_errno;
}
