#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <termios.h>
#include <unistd.h>
int tcsetattr(int file, int when, const struct termios *wanted) {
  (void)when;
  __provest_check_read(wanted, sizeof *wanted);
  if (!isatty(file)) return -1;
  return __provest_usually(0) ? __provest_fail(-EINVAL) : 0;
}
