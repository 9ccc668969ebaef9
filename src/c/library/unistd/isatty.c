#include <errno.h>
#include <provest/files.h>
#include <unistd.h>
/* Nothing is a terminal. */
int isatty(int file) {
  __provest_fail((__provest_file_flags(file) & 4) != 0 ? -ENOTTY : -EBADF);
  return 0;
}
