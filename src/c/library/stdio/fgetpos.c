#include <stdio.h>
int fgetpos(FILE *restrict stream, fpos_t *restrict position) {
  long at = ftell(stream);
  if (at < 0) return -1;
  position->provest_position = at;
  return 0;
}
