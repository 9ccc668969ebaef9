#include <provest/answers.h>
#include <sys/socket.h>
long __provest_nondet_getsockopt(void);
unsigned long long __provest_nondet_option(void);
int getsockopt(int socket, int level, int name, void *restrict value, socklen_t *restrict size) {
  int result = __provest_answer(__provest_nondet_getsockopt());
  (void)socket, (void)level, (void)name;
  __provest_check_write(size, sizeof *size);
  __provest_check_write(value, *size);
  if (result == 0) __provest_given_bytes(value, *size, __provest_nondet_option());
  return result;
}
