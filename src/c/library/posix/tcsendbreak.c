#include <provest/answers.h>
#include <termios.h>
long __provest_nondet_tcsendbreak(void);
int tcsendbreak(int file, int duration) {
  (void)file, (void)duration;
  return __provest_answer(__provest_nondet_tcsendbreak());
}
