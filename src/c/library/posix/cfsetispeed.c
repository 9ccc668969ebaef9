#include <provest/answers.h>
#include <termios.h>
int cfsetispeed(struct termios *wanted, speed_t speed) {
  if (speed > 017 && (speed < B57600 || speed > 0010017)) return __provest_fail(-22);
  wanted->c_ispeed = speed;
  if (speed == 0) {
    wanted->c_iflag |= 020000000000;
  } else {
    wanted->c_iflag &= ~(tcflag_t)020000000000;
    wanted->c_cflag = (wanted->c_cflag & ~(tcflag_t)0010017) | speed;
  }
  return 0;
}
