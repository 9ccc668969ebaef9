#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_getsockname(void);
int getsockname(int socket, struct sockaddr *restrict address, socklen_t *restrict size) {
  int result = __provest_answer(__provest_nondet_getsockname());
  (void)socket;
  if (result == 0) __provest_give_address(address, size);
  return result;
}
