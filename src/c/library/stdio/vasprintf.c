#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int vasprintf(char **restrict target, const char *restrict format, va_list arguments) {
  va_list again;
  int length;
  va_copy(again, arguments);
  length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0 || (*target = malloc((size_t)length + 1)) == NULL) return -1;
  return vsnprintf(*target, (size_t)length + 1, format, arguments);
}
