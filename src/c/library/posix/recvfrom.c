#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_recvfrom(void);
unsigned long long __provest_nondet_received(void);
ssize_t recvfrom(int socket, void *restrict target, size_t size, int flags, struct sockaddr *restrict address,
                 socklen_t *restrict address_size) {
  long result;
  (void)socket;
  __provest_check_write(target, size);
  result = __provest_message(__provest_nondet_recvfrom(), size, flags);
  if (result > 0)
    __provest_given_bytes(target, (size_t)result < size ? (size_t)result : size, __provest_nondet_received());
  if (result >= 0) __provest_give_address(address, address_size);
  return result;
}
