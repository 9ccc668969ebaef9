#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
void vwarn(const char *format, va_list arguments) {
  int number = errno;
  fputs("program: ", stderr);
  if (format != NULL) {
    vfprintf(stderr, format, arguments);
    fputs(": ", stderr);
  }
  fprintf(stderr, "%s\n", strerror(number));
}
