#include <stdlib.h>
/* There is no command processor. */
int system(const char *command) {
  return command == NULL ? 0 : -1;
}
