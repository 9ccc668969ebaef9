#include <provest/world.h>
#include <stdio.h>
/* Nothing is held back in a run. */
int fflush(FILE *stream) {
  if (stream != NULL && stream->provest_number < 0) return EOF;
  return __provest_usually(0) ? EOF : 0;
}
