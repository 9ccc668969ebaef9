#include <poll.h>
#include <provest/answers.h>
long __provest_nondet_poll(void);
short __provest_nondet_poll_events(void);
/* Tells the number of files with events. A file gives what was asked for, and errors that nobody asks for. */
int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  long result;
  nfds_t ready = 0;
  nfds_t i;
  __provest_check_write(files, count * sizeof *files);
  result = __provest_amount(__provest_nondet_poll(), count);
  if (result < 0) return -1;
  for (i = 0; i < count; i++) {
    files[i].revents = 0;
    if (result > 0 && files[i].fd >= 0)
      files[i].revents =
          (short)(__provest_nondet_poll_events() & (files[i].events | POLLERR | POLLHUP | POLLNVAL));
    if (files[i].revents != 0) ready++;
  }
  if (ready == 0 && milliseconds < 0) return __provest_fail(-4);
  return (int)(ready < count ? ready : count);
}
