#include <provest/world.h>
#include <sys/stat.h>
/* Files have no permissions here: the mask is remembered. */
mode_t umask(mode_t mask) {
  static mode_t current;
  static int known;
  mode_t before = known ? current : (mode_t)__provest_usually(022) & 0777;
  current = mask & 0777;
  known = 1;
  return before;
}
