#include <stdio.h>
void setbuf(FILE *restrict stream, char *restrict buffer) {
  setvbuf(stream, buffer, buffer == NULL ? _IONBF : _IOFBF, BUFSIZ);
}
