#include <provest/answers.h>
#include <unistd.h>
#include <errno.h>
#include <stdlib.h>
long __provest_nondet_getcwd(void);
/* For a null pointer glibc allocates the memory. */
char *getcwd(char *target, size_t size) {
  if (target != 0 && size == 0) return __provest_fail(-EINVAL), (char *)0;
  if (target != 0) __provest_check_write(target, size);
  if (size == 1) return __provest_fail(-ERANGE), (char *)0;
  if (__provest_answer(__provest_nondet_getcwd()) < 0) return 0;
  if (target == 0) {
    if (size == 0) size = 4096;
    target = malloc(size);
    if (target == 0) return __provest_fail(-ENOMEM), (char *)0;
  }
  __provest_give_text(target + 1, size - 1);
  target[0] = '/';
  return target;
}
