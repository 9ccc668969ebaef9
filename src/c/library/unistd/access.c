#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <unistd.h>
int access(const char *path, int mode) {
  (void)mode;
  __provest_check_text(path);
  return __provest_file_exists(path) ? 0 : __provest_fail(__provest_usually(-ENOENT));
}
