#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_bind(void);
int bind(int socket, const struct sockaddr *address, socklen_t size) {
  (void)socket;
  __provest_check_read(address, size);
  return __provest_answer(__provest_nondet_bind());
}
