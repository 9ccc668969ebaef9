#include <provest/answers.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
int setlogmask(int mask) {
  static int current = 0xff;
  int before = current;
  if (mask != 0) current = mask;
  return before;
}
