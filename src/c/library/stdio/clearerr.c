#include <provest/files.h>
#include <stdio.h>
void clearerr(FILE *stream) {
  __provest_file_clear(stream->provest_number);
}
