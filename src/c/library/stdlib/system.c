#include <provest/files.h>
#include <provest/world.h>
#include <stdlib.h>
/* There is no command processor in a run. */
int system(const char *command) {
  if (command != NULL) __provest_check_text(command);
  return (int)__provest_usually(command == NULL ? 0 : -1);
}
