#include <provest/files.h>
#include <unistd.h>
ssize_t write(int file, const void *source, size_t size) {
  long result;
  __provest_check_read(source, size);
  result = __provest_file_write(file, source, size);
  if (result < 0) return __provest_fail(result);
  return (size_t)result < size ? (ssize_t)result : (ssize_t)size;
}
