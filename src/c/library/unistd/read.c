#include <provest/files.h>
#include <unistd.h>
ssize_t read(int file, void *target, size_t size) {
  long result;
  __provest_check_write(target, size);
  result = __provest_file_read(file, target, size);
  if (result < 0) return __provest_fail(result);
  return (size_t)result < size ? (ssize_t)result : (ssize_t)size;
}
