#include <provest/files.h>
#include <stdio.h>
int ungetc(int c, FILE *stream) {
  if (c == EOF || __provest_file_unget(stream->provest_number, c) < 0) return EOF;
  return c & 255;
}
