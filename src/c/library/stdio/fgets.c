#include <stdio.h>
char *fgets(char *restrict target, int size, FILE *restrict stream) {
  int length = 0;
  if (size <= 0) return NULL;
  while (length < size - 1) {
    int c = fgetc(stream);
    if (c == EOF) {
      /* What an error leaves in the array is indeterminate (C11 7.21.7.2p3). */
      if (ferror(stream)) return NULL;
      break;
    }
    target[length++] = (char)c;
    if (c == '\n') break;
  }
  if (length == 0 && size > 1) return NULL;
  target[length] = 0;
  return target;
}
