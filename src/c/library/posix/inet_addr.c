#include <arpa/inet.h>
#include <errno.h>
#include <provest/answers.h>
in_addr_t inet_addr(const char *text) {
  struct in_addr result;
  return inet_aton(text, &result) ? result.s_addr : INADDR_NONE;
}
