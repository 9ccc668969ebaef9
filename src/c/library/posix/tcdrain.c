#include <provest/answers.h>
#include <termios.h>
long __provest_nondet_tcdrain(void);
int tcdrain(int file) {
  (void)file;
  return __provest_answer(__provest_nondet_tcdrain());
}
