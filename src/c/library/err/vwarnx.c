#include <err.h>
#include <stdio.h>
void vwarnx(const char *format, va_list arguments) {
  fputs("program: ", stderr);
  if (format != NULL) vfprintf(stderr, format, arguments);
  putc('\n', stderr);
}
