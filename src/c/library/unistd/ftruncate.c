#include <provest/files.h>
#include <unistd.h>
int ftruncate(int file, off_t size) {
  int result = __provest_file_resize(file, size);
  return result < 0 ? __provest_fail(result) : 0;
}
