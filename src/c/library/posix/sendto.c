#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_sendto(void);
ssize_t sendto(int socket, const void *source, size_t size, int flags, const struct sockaddr *address,
               socklen_t address_size) {
  (void)socket, (void)flags;
  __provest_check_read(source, size);
  if (address != 0) __provest_check_read(address, address_size);
  return __provest_amount(__provest_nondet_sendto(), size);
}
