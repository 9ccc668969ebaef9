#include <provest/files.h>
#include <stdio.h>
size_t fwrite(const void *restrict source, size_t size, size_t count, FILE *restrict stream) {
  int number = stream->provest_number;
  long done;
  if (size == 0 || count == 0) return 0;
  if (count > (size_t)-1 / size) count = (size_t)-1 / size;
  __provest_check_read(source, size * count);
  done = __provest_file_write(number, source, size * count);
  if (done < 0) {
    __provest_fail(done);
    return 0;
  }
  return (size_t)done < size * count ? (size_t)done / size : count;
}
