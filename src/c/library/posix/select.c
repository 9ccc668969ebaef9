#include <provest/answers.h>
#include <sys/select.h>
long __provest_nondet_select(void);
unsigned long long __provest_nondet_select_ready(void);
/* What is left of the time in `limit` is any, as on Linux. */
int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict other,
           struct timeval *restrict limit) {
  int result = __provest_descriptor(__provest_nondet_select());
  (void)count;
  if (read != 0) __provest_check_write(read, sizeof *read);
  if (write != 0) __provest_check_write(write, sizeof *write);
  if (other != 0) __provest_check_write(other, sizeof *other);
  if (limit != 0) {
    __provest_check_write(limit, sizeof *limit);
    limit->tv_sec = (time_t)__provest_usually(0);
    limit->tv_usec = __provest_usually(0);
  }
  if (result < 0) return -1;
  if (read != 0) __provest_kept_bits(read, sizeof *read, __provest_nondet_select_ready());
  if (write != 0) __provest_kept_bits(write, sizeof *write, __provest_nondet_select_ready());
  if (other != 0) __provest_kept_bits(other, sizeof *other, __provest_nondet_select_ready());
  return result;
}
