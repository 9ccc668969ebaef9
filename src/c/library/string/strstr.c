#include <string.h>
char *strstr(const char *text, const char *part) {
  size_t from = 0;
  for (;;) {
    size_t i = 0;
    while (part[i] != '\0' && text[from + i] == part[i]) i++;
    if (part[i] == '\0') return (char *)(text + from);
    if (text[from] == '\0') return NULL;
    from++;
  }
}
