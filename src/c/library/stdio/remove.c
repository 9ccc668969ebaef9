#include <provest/files.h>
#include <stdio.h>
int remove(const char *path) {
  int result;
  __provest_check_text(path);
  result = __provest_file_remove(path);
  return result < 0 ? __provest_fail(result) : 0;
}
