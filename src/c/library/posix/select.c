#include <provest/answers.h>
#include <sys/select.h>
long __provest_nondet_select(void);
unsigned long long __provest_nondet_select_ready(void);
static int is_empty(const fd_set *set) {
  unsigned long all = 0;
  unsigned i;
  if (set == 0) return 1;
  for (i = 0; i < sizeof *set / sizeof set->provest_bits[0]; i++) all |= set->provest_bits[i];
  return all == 0;
}
/* Without a limit it ends with a file that is ready, or by a signal. What is left of the time in `limit` is any,
 * as on Linux. */
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
  if (result > 0) {
    if (read != 0) __provest_kept_bits(read, sizeof *read, __provest_nondet_select_ready());
    if (write != 0) __provest_kept_bits(write, sizeof *write, __provest_nondet_select_ready());
    if (other != 0) __provest_kept_bits(other, sizeof *other, __provest_nondet_select_ready());
    if (!is_empty(read) || !is_empty(write) || !is_empty(other))
      return result < 3 * FD_SETSIZE ? result : 3 * FD_SETSIZE;
  }
  if (read != 0) FD_ZERO(read);
  if (write != 0) FD_ZERO(write);
  if (other != 0) FD_ZERO(other);
  return limit == 0 ? __provest_fail(-4) : 0;
}
