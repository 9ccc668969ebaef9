#include <arpa/inet.h>
#include <errno.h>
#include <provest/answers.h>
/* Four decimal numbers without leading zeros. In a run there is no IPv6. */
int inet_pton(int family, const char *restrict text, void *restrict result) {
  unsigned char bytes[4];
  int count;
  __provest_check_text(text);
  if (family == AF_INET6 && __provest_usually(0)) {
    __provest_check_write(result, 16);
    if (__provest_usually(0)) return 0;
    __provest_any_bytes(result, 16);
    return 1;
  }
  if (family != AF_INET) return __provest_fail(-EAFNOSUPPORT);
  for (count = 0; count < 4; count++) {
    unsigned value = 0;
    int digits = 0;
    while ('0' <= *text && *text <= '9') {
      if ((digits > 0 && value == 0) || digits == 3) return 0;
      value = 10 * value + (unsigned)(*text++ - '0');
      digits++;
    }
    if (digits == 0 || value > 255) return 0;
    bytes[count] = (unsigned char)value;
    if (*text != (count < 3 ? '.' : 0)) return 0;
    text++;
  }
  __provest_check_write(result, 4);
  for (count = 0; count < 4; count++) ((unsigned char *)result)[count] = bytes[count];
  return 1;
}
