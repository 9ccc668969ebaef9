#include <provest/files.h>
#include <stdio.h>
#include <stdlib.h>
/* A stream is a heap object: using it after fclose is using freed memory. */
FILE *__provest_new_stream(int number) {
  FILE *stream;
  if (number < 0) {
    __provest_fail(number);
    return NULL;
  }
  stream = malloc(sizeof *stream);
  if (stream == NULL) {
    __provest_file_close(number);
    return NULL;
  }
  stream->provest_number = number;
  return stream;
}
