#include <termios.h>
#include <unistd.h>
/* Nothing is a terminal. */
int tcgetattr(int file, struct termios *result) {
  (void)result;
  isatty(file);
  return -1;
}
