#include <provest/files.h>
#include <stdio.h>
int fputc(int c, FILE *stream) {
  unsigned char byte = (unsigned char)c;
  return __provest_file_write(stream->provest_number, &byte, 1) == 1 ? byte : EOF;
}
