/* The texts of all error numbers, as printf's %m, strerror and the functions of err.h give them. */
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

static void told(void (*tell)(const char *, va_list), const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(format, arguments);
  va_end(arguments);
}

int main(void) {
#ifdef __GLIBC__
  stderr = stdout;
#endif
  char text[80];
  int same = 0;
  for (int n = -2; n < 140; n++) {
    errno = n;
    printf("%d %m|", n);
    errno = n;
    snprintf(text, sizeof text, "%m");
    same += strcmp(text, strerror(n)) == 0;
  }
  errno = EDOM;
  printf("\n%d [%-36m] [%40m] [%.9m] %d\n", same, 5);
  errno = ERANGE;
  warn("%s %d", "a", 1);
  errno = ENOENT;
  warn(NULL);
  warnx("%c%%", 'x');
  warnx(NULL);
  errno = EACCES;
  told(vwarn, "<%x>", 255);
  told(vwarnx, "<%5s>", "ab");
  errno = EBUSY;
  err(EX_USAGE, "the last of %u", 3u);
}
