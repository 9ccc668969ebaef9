#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_readlink(void);
unsigned long long __provest_nondet_received(void);
/* No 0 is put behind the characters. */
ssize_t readlink(const char *restrict path, char *restrict target, size_t size) {
  long result;
  __provest_check_text(path);
  __provest_check_write(target, size);
  result = __provest_amount(__provest_nondet_readlink(), size);
  if (result > 0) __provest_given_bytes(target, (size_t)result, __provest_nondet_received());
  return result;
}
