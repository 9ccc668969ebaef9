#include <stdio.h>
char *fgets(char *restrict target, int size, FILE *restrict stream) {
  int length = 0;
  if (size <= 0) return NULL;
  while (length < size - 1) {
    int c = fgetc(stream);
    if (c == EOF) break;
    target[length++] = (char)c;
    if (c == '\n') break;
  }
  if (length == 0 && size > 1) return NULL;
  target[length] = 0;
  return target;
}
