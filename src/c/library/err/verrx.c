#include <err.h>
#include <stdlib.h>
_Noreturn void verrx(int status, const char *format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}
