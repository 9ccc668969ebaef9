#include <provest/answers.h>
#include <unistd.h>
/* The same for as long as the program runs. */
gid_t getgid(void) {
  static gid_t own;
  static int known;
  if (!known) own = (gid_t)__provest_usually(1000);
  if (own == (gid_t)-1) own = 0;
  known = 1;
  return own;
}
