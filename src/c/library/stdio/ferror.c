#include <provest/files.h>
#include <stdio.h>
int ferror(FILE *stream) {
  return (__provest_file_flags(stream->provest_number) & 2) != 0;
}
