#include <stdlib.h>
static void (*handlers[32])(void);
static int count;
int atexit(void (*function)(void)) {
  if (count >= 32) return -1;
  handlers[count++] = function;
  return 0;
}
/* The last registered first; a handler may register others. */
void __provest_run_exit_handlers(void) {
  while (count > 0) {
    count--;
    handlers[count]();
  }
}
