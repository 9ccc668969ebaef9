#include <unistd.h>
/* Time passes only when it is asked for. */
unsigned sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}
