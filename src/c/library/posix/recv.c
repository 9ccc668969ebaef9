#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_recv(void);
unsigned long long __provest_nondet_received(void);
ssize_t recv(int socket, void *target, size_t size, int flags) {
  long result;
  (void)socket;
  __provest_check_write(target, size);
  result = __provest_message(__provest_nondet_recv(), size, flags);
  if (result > 0)
    __provest_given_bytes(target, (size_t)result < size ? (size_t)result : size, __provest_nondet_received());
  return result;
}
