#include <provest/answers.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
void openlog(const char *name, int options, int facility) {
  (void)options, (void)facility;
  if (name != 0) __provest_check_text(name);
}
