#include <errno.h>
#include <provest/files.h>
int __provest_fail(long result) {
  errno = -133 <= result && result < 0 ? (int)-result : EIO;
  return -1;
}
