#include <stdio.h>
int getc(FILE *stream) {
  return fgetc(stream);
}
