#include <provest/answers.h>
#include <unistd.h>
/* The same for as long as the program runs. */
uid_t geteuid(void) {
  static uid_t own;
  static int known;
  if (!known) own = (uid_t)__provest_usually(1000);
  if (own == (uid_t)-1) own = 0;
  known = 1;
  return own;
}
