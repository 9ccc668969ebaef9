#include <unistd.h>
/* Time passes only when it is asked for. */
unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}
