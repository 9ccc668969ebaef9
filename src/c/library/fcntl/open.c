#include <fcntl.h>
#include <provest/files.h>
int open(const char *path, int flags, ...) {
  int result;
  __provest_check_text(path);
  result = __provest_file_open_flags(path, flags);
  return result < 0 ? __provest_fail(result) : result;
}
