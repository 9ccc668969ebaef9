#include <provest/files.h>
#include <provest/world.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>
/* The size of a terminal is all that can be asked. */
int ioctl(int file, unsigned long request, ...) {
  va_list arguments;
  struct winsize *size;
  if (!isatty(file) || request != TIOCGWINSZ) return -1;
  va_start(arguments, request);
  size = va_arg(arguments, struct winsize *);
  va_end(arguments);
  __provest_check_write(size, sizeof *size);
  __provest_any_bytes(size, sizeof *size);
  return 0;
}
