#include <provest/answers.h>
#include <sys/uio.h>
long __provest_nondet_writev(void);
ssize_t writev(int file, const struct iovec *parts, int count) {
  size_t all = 0;
  int i;
  (void)file;
  if (count < 0 || count > UIO_MAXIOV) return __provest_fail(-22);
  for (i = 0; i < count; i++) {
    __provest_check_read(parts[i].iov_base, parts[i].iov_len);
    all += parts[i].iov_len;
  }
  return __provest_amount(__provest_nondet_writev(), all);
}
