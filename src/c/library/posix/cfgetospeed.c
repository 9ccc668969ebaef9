#include <termios.h>
speed_t cfgetospeed(const struct termios *of) { return of->c_cflag & 0010017; }
