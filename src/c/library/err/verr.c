#include <err.h>
#include <stdlib.h>
_Noreturn void verr(int status, const char *format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}
