#include <stdlib.h>
void __provest_run_exit_handlers(void);
/* For programs that use atexit; in others exit is the end at once. */
_Noreturn void exit(int status) {
  __provest_run_exit_handlers();
  _Exit(status);
}
