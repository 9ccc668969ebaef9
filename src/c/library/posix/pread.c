#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_pread(void);
unsigned long long __provest_nondet_received(void);
ssize_t pread(int file, void *target, size_t size, off_t offset) {
  long result;
  (void)file, (void)offset;
  __provest_check_write(target, size);
  result = __provest_amount(__provest_nondet_pread(), size);
  if (result > 0) __provest_given_bytes(target, (size_t)result, __provest_nondet_received());
  return result;
}
