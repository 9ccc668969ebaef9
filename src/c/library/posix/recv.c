#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_recv(void);
unsigned long long __provest_nondet_received(void);
ssize_t recv(int socket, void *target, size_t size, int flags) {
  long result;
  (void)socket, (void)flags;
  __provest_check_write(target, size);
  result = __provest_amount(__provest_nondet_recv(), size);
  if (result > 0) __provest_given_bytes(target, (size_t)result, __provest_nondet_received());
  return result;
}
