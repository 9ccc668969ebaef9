#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <sys/stat.h>
int fchmod(int file, mode_t mode) {
  int flags = __provest_file_flags(file);
  (void)mode;
  return (flags & 4) != 0 && !__provest_usually(0) ? 0 : __provest_fail(__provest_usually(-EBADF));
}
