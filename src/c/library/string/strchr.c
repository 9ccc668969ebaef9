#include <string.h>
char *strchr(const char *text, int c) {
  char wanted = (char)c;
  size_t i = 0;
  while (text[i] != wanted) {
    if (text[i] == '\0') return NULL;
    i++;
  }
  return (char *)(text + i);
}
