#include <provest/files.h>
#include <stdio.h>
int feof(FILE *stream) {
  return __provest_file_flags(stream->provest_number) & 1;
}
