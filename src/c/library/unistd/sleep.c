#include <provest/world.h>
#include <unistd.h>
/* Time passes only when it is asked for. What a signal cut off is left. */
unsigned sleep(unsigned seconds) {
  unsigned rest = (unsigned)__provest_usually(0);
  return rest <= seconds ? rest : 0;
}
