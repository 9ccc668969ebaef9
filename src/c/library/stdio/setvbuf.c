#include <provest/files.h>
#include <provest/world.h>
#include <stdio.h>
/* Nothing is held back, but what the buffer contains is not the program's to know (C11 7.21.5.6p2). */
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  if (stream->provest_number < 0 || (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)) return -1;
  if (buffer != NULL && mode != _IONBF) {
    __provest_check_write(buffer, size);
    __provest_any_bytes(buffer, size);
  }
  return 0;
}
