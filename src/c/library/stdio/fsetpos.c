#include <stdio.h>
int fsetpos(FILE *stream, const fpos_t *position) {
  return fseek(stream, (long)position->provest_position, SEEK_SET);
}
