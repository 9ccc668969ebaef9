#include <stdio.h>
int fileno(FILE *stream) {
  return stream->provest_number;
}
