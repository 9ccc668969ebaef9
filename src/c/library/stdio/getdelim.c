#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
/* The line is allocated even where nothing is read into it, as with glibc. */
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
  size_t length = 0;
  if (line == NULL || size == NULL) {
    errno = EINVAL;
    return -1;
  }
  if (*line == NULL || *size == 0) {
    char *first = realloc(*line, 120);
    if (first == NULL) return -1;
    *line = first;
    *size = 120;
  }
  for (;;) {
    int c = fgetc(stream);
    if (c == EOF && length == 0) return -1;
    if (length + 1 >= *size) {
      size_t wanted = *size < 60 ? 120 : 2 * *size;
      char *larger = realloc(*line, wanted);
      if (larger == NULL) return -1;
      *line = larger;
      *size = wanted;
    }
    if (c == EOF) break;
    (*line)[length++] = (char)c;
    if (c == delimiter) break;
  }
  (*line)[length] = 0;
  return (ssize_t)length;
}
