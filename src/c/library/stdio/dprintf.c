#define _GNU_SOURCE
#include <provest/files.h>
#include <stdio.h>
#include <stdlib.h>
int dprintf(int file, const char *restrict format, ...) {
  va_list arguments;
  char *text;
  int length;
  va_start(arguments, format);
  length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0) return -1;
  if (__provest_file_write(file, text, (size_t)length) < 0) length = -1;
  free(text);
  return length;
}
