#include <provest/answers.h>
#include <sys/uio.h>
long __provest_nondet_readv(void);
unsigned long long __provest_nondet_received(void);
/* Parts are filled one behind the other. */
ssize_t readv(int file, const struct iovec *parts, int count) {
  size_t all = 0;
  size_t left;
  long result;
  int i;
  (void)file;
  if (count < 0 || count > UIO_MAXIOV) return __provest_fail(-22);
  for (i = 0; i < count; i++) {
    __provest_check_write(parts[i].iov_base, parts[i].iov_len);
    all += parts[i].iov_len;
  }
  result = __provest_amount(__provest_nondet_readv(), all);
  if (result < 0) return -1;
  left = (size_t)result;
  for (i = 0; i < count && left > 0; i++) {
    size_t taken = parts[i].iov_len < left ? parts[i].iov_len : left;
    __provest_given_bytes(parts[i].iov_base, taken, __provest_nondet_received());
    left -= taken;
  }
  return result;
}
