#include <provest/answers.h>
#include <termios.h>
int cfsetospeed(struct termios *wanted, speed_t speed) {
  if (speed > 017 && (speed < B57600 || speed > 0010017)) return __provest_fail(-22);
  wanted->c_cflag = (wanted->c_cflag & ~(tcflag_t)0010017) | speed;
  wanted->c_ospeed = speed;
  return 0;
}
