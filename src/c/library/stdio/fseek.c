#include <provest/files.h>
#include <stdio.h>
int fseek(FILE *stream, long offset, int whence) {
  long result = __provest_file_seek(stream->provest_number, offset, whence);
  return result < 0 ? __provest_fail(result) : 0;
}
