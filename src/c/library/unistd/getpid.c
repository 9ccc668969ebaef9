#include <unistd.h>
pid_t getpid(void) {
  return 1;
}
