#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_accept(void);
int accept(int socket, struct sockaddr *restrict address, socklen_t *restrict size) {
  int result = __provest_descriptor(__provest_nondet_accept());
  (void)socket;
  if (result >= 0) __provest_give_address(address, size);
  return result;
}
