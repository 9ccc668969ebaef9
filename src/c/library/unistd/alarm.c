#include <provest/world.h>
#include <unistd.h>
/* Time passes only when it is asked for, and nothing sends signals. */
unsigned alarm(unsigned seconds) {
  static unsigned pending;
  unsigned before = (unsigned)__provest_usually((long)pending);
  pending = seconds;
  return before;
}
