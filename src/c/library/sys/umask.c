#include <sys/stat.h>
static mode_t current = 022;
/* Files have no permissions here: the mask is remembered. */
mode_t umask(mode_t mask) {
  mode_t before = current;
  current = mask & 0777;
  return before;
}
