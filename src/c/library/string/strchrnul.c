#define _GNU_SOURCE
#include <string.h>
char *strchrnul(const char *text, int c) {
  while (*text != 0 && *text != (char)c) text++;
  return (char *)text;
}
