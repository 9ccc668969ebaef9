#include <provest/world.h>
#include <stdlib.h>
static void (*handlers[32])(void);
static int count;
static struct further { struct further *before; void (*handler)(void); } *further;
/* There is room for 32 (C11 7.22.4.4), and usually for more. */
int atexit(void (*function)(void)) {
  if (count < 32) {
    handlers[count++] = function;
    return 0;
  }
  struct further *added = __provest_usually(1) ? malloc(sizeof *added) : NULL;
  if (added == NULL) return -1;
  added->before = further;
  added->handler = function;
  further = added;
  return 0;
}
/* The last registered first; a handler may register others. */
void __provest_run_exit_handlers(void) {
  while (count > 0) {
    if (further != NULL) {
      struct further *last = further;
      void (*handler)(void) = last->handler;
      further = last->before;
      free(last);
      handler();
    } else {
      count--;
      handlers[count]();
    }
  }
}
