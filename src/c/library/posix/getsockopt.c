#include <netinet/in.h>
#include <netinet/tcp.h>
#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_getsockopt(void);
unsigned long long __provest_nondet_option(void);
unsigned __provest_nondet_option_size(void);
/* As much is written as the option has and there is room for: a number, if it is a known one. */
int getsockopt(int socket, int level, int name, void *restrict value, socklen_t *restrict size) {
  int result = __provest_answer(__provest_nondet_getsockopt());
  socklen_t room;
  (void)socket;
  __provest_check_write(size, sizeof *size);
  room = *size;
  __provest_check_write(value, room);
  if (result == 0) {
    int is_number = level == SOL_SOCKET ? (SO_REUSEADDR <= name && name <= SO_OOBINLINE) || name == SO_REUSEPORT
                                              || name == SO_RCVLOWAT || name == SO_SNDLOWAT || name == SO_ACCEPTCONN
                                        : level == IPPROTO_TCP && name == TCP_NODELAY;
    socklen_t actual = is_number ? sizeof(int) : __provest_nondet_option_size();
    if (actual > room) actual = room;
    __provest_given_bytes(value, actual, __provest_nondet_option());
    *size = actual;
  }
  return result;
}
