#include <termios.h>
/* As glibc's: Linux has one speed, and a bit that says 0 for the input's. */
speed_t cfgetispeed(const struct termios *of) {
  return (of->c_iflag & 020000000000) != 0 ? 0 : of->c_cflag & 0010017;
}
