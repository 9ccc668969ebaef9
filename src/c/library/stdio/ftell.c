#include <provest/files.h>
#include <stdio.h>
long ftell(FILE *stream) {
  long result = __provest_file_tell(stream->provest_number);
  return result < 0 ? __provest_fail(result) : result;
}
