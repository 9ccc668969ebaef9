#include <stdio.h>
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)buffer;
  (void)size;
  return stream->provest_number >= 0 && (mode == _IOFBF || mode == _IOLBF || mode == _IONBF) ? 0 : -1;
}
