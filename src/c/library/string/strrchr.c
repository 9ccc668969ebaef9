#include <string.h>
char *strrchr(const char *text, int c) {
  char wanted = (char)c;
  const char *found = NULL;
  size_t i = 0;
  for (;;) {
    if (text[i] == wanted) found = text + i;
    if (text[i] == '\0') return (char *)found;
    i++;
  }
}
