#include <provest/files.h>
#include <stdio.h>
int fgetc(FILE *stream) {
  int c = __provest_file_get(stream->provest_number);
  if (c >= 0) return c & 255;
  return c == EOF ? EOF : __provest_fail(c);
}
