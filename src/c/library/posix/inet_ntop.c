#include <arpa/inet.h>
#include <errno.h>
#include <provest/answers.h>
/* In a run there is no IPv6. */
const char *inet_ntop(int family, const void *restrict address, char *restrict target, socklen_t size) {
  const unsigned char *bytes = address;
  char text[INET_ADDRSTRLEN];
  unsigned length = 0;
  unsigned i;
  if (family == AF_INET6 && __provest_usually(0)) {
    __provest_check_read(address, 16);
    if (size < INET6_ADDRSTRLEN && __provest_usually(0)) return __provest_fail(-ENOSPC), (const char *)0;
    __provest_check_write(target, size < INET6_ADDRSTRLEN ? size : INET6_ADDRSTRLEN);
    length = (unsigned)__provest_usually(2);
    if (length < 2 || length >= size || length >= INET6_ADDRSTRLEN) return __provest_fail(-ENOSPC), (const char *)0;
    __provest_any_bytes(target, length);
    target[length] = 0;
    return target;
  }
  if (family != AF_INET) return __provest_fail(-EAFNOSUPPORT), (const char *)0;
  __provest_check_read(address, 4);
  for (i = 0; i < 4; i++) {
    unsigned value = bytes[i];
    if (i > 0) text[length++] = '.';
    if (value >= 100) text[length++] = (char)('0' + value / 100);
    if (value >= 10) text[length++] = (char)('0' + value / 10 % 10);
    text[length++] = (char)('0' + value % 10);
  }
  text[length++] = 0;
  if (size < length) return __provest_fail(-ENOSPC), (const char *)0;
  for (i = 0; i < length; i++) target[i] = text[i];
  return target;
}
