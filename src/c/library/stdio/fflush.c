#include <stdio.h>
/* Nothing is held back. */
int fflush(FILE *stream) {
  return stream == NULL || stream->provest_number >= 0 ? 0 : EOF;
}
