#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <unistd.h>
/* Nothing is a terminal in a run. */
int isatty(int file) {
  if (__provest_usually(0)) return 1;
  __provest_fail((__provest_file_flags(file) & 4) != 0 ? -ENOTTY : -EBADF);
  return 0;
}
