#include <provest/world.h>
#include <unistd.h>
/* The same for as long as the program runs. */
pid_t getpid(void) {
  static pid_t own;
  if (own == 0) own = (pid_t)(__provest_usually(0) & 0x3fffff) + 1;
  return own;
}
