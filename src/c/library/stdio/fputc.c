#include <provest/files.h>
#include <stdio.h>
int fputc(int c, FILE *stream) {
  unsigned char byte = (unsigned char)c;
  long done = __provest_file_write(stream->provest_number, &byte, 1);
  return done == 1 ? byte : __provest_fail(done);
}
