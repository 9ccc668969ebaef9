#define _GNU_SOURCE
#include <string.h>
char *strcasestr(const char *text, const char *part) {
  size_t size = strlen(part);
  for (;; text++) {
    if (strncasecmp(text, part, size) == 0) return (char *)text;
    if (*text == 0) return NULL;
  }
}
