#include <provest/files.h>
#include <unistd.h>
int close(int file) {
  int result = __provest_file_close(file);
  return result < 0 ? __provest_fail(result) : 0;
}
