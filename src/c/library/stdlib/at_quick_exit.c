#include <stdlib.h>
static void (*handlers[32])(void);
static int count;
int at_quick_exit(void (*function)(void)) {
  if (count >= 32) return -1;
  handlers[count++] = function;
  return 0;
}
/* The last registered first; those of atexit are not called (C11 7.22.4.7). */
_Noreturn void quick_exit(int status) {
  while (count > 0) {
    count--;
    handlers[count]();
  }
  _Exit(status);
}
