#include <provest/files.h>
#include <stdio.h>
int rename(const char *from, const char *to) {
  int result;
  __provest_check_text(from);
  __provest_check_text(to);
  result = __provest_file_rename(from, to);
  return result < 0 ? __provest_fail(result) : 0;
}
