#include <termios.h>
#include <unistd.h>
/* Nothing is a terminal. */
int tcsetattr(int file, int when, const struct termios *wanted) {
  (void)when;
  (void)wanted;
  isatty(file);
  return -1;
}
