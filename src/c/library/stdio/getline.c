#include <stdio.h>
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
  return getdelim(line, size, '\n', stream);
}
