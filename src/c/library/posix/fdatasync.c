#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_fdatasync(void);
int fdatasync(int file) {
  (void)file;
  return __provest_answer(__provest_nondet_fdatasync());
}
