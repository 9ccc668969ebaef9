#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_setsockopt(void);
int setsockopt(int socket, int level, int name, const void *value, socklen_t size) {
  (void)socket, (void)level, (void)name;
  __provest_check_read(value, size);
  return __provest_answer(__provest_nondet_setsockopt());
}
