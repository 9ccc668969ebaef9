#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_gethostname(void);
/* A name that is too long is cut off, and may then lack its end. */
int gethostname(char *target, size_t size) {
  __provest_check_write(target, size);
  if (__provest_answer(__provest_nondet_gethostname()) < 0) return -1;
  __provest_give_text(target, size);
  return 0;
}
