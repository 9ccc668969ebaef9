#include <stdio.h>
#include "log.h"
static void shout(log_Event *e) { char text[100]; vsnprintf(text, sizeof text, e->fmt, e->ap);
  printf("<%s line %d: %s>\n", log_level_string(e->level), e->line, text); }
int main(void) {
  log_set_quiet(true); log_add_callback(shout, NULL, LOG_INFO);
  log_trace("not %d", 1); log_info("hello %s", "world"); log_error("%5.2f|%-4d|%x", 3.14159, 42, 255);
  log_fatal("done");
  return 0;
}
