#define _GNU_SOURCE
#include <stdio.h>
int asprintf(char **restrict target, const char *restrict format, ...) {
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vasprintf(target, format, arguments);
  va_end(arguments);
  return length;
}
