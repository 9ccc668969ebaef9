#include <provest/files.h>
#include <stdio.h>
void rewind(FILE *stream) {
  int number = stream->provest_number;
  __provest_file_seek(number, 0, SEEK_SET);
  __provest_file_clear(number);
}
