#include <provest/answers.h>
#include <termios.h>
void cfmakeraw(struct termios *wanted) {
  wanted->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  wanted->c_oflag &= ~(tcflag_t)OPOST;
  wanted->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  wanted->c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
  wanted->c_cflag |= CS8;
  wanted->c_cc[VMIN] = 1;
  wanted->c_cc[VTIME] = 0;
}
