#include <provest/answers.h>
#include <unistd.h>
long __provest_nondet_pwrite(void);
ssize_t pwrite(int file, const void *source, size_t size, off_t offset) {
  (void)file, (void)offset;
  __provest_check_read(source, size);
  return __provest_amount(__provest_nondet_pwrite(), size);
}
