#include <provest/files.h>
#include <stdio.h>
int fgetc(FILE *stream) {
  int c = __provest_file_get(stream->provest_number);
  return c < 0 ? EOF : c & 255;
}
