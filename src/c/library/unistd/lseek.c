#include <provest/files.h>
#include <unistd.h>
off_t lseek(int file, off_t offset, int whence) {
  long result = __provest_file_seek(file, offset, whence);
  return result < 0 ? __provest_fail(result) : result;
}
