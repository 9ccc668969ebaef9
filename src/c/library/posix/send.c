#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_send(void);
ssize_t send(int socket, const void *source, size_t size, int flags) {
  (void)socket, (void)flags;
  __provest_check_read(source, size);
  return __provest_amount(__provest_nondet_send(), size);
}
