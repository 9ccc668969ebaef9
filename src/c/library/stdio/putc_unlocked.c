#include <stdio.h>
int putc_unlocked(int c, FILE *stream) {
  return fputc(c, stream);
}
