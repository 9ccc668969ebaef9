#include <errno.h>
#include <stdint.h>
#include <provest/parse_integer.h>
#include <inttypes.h>
intmax_t strtoimax(const char *restrict text, char **restrict end, int base) {
  struct provest_integer parsed = __provest_parse_integer(text, end, base);
  if (parsed.negative) {
    if (parsed.magnitude > (unsigned long long)INTMAX_MAX) {
      if (parsed.magnitude > (unsigned long long)INTMAX_MAX + 1) errno = ERANGE;
      return INTMAX_MIN;
    }
    return -(intmax_t)parsed.magnitude;
  }
  if (parsed.magnitude > (unsigned long long)INTMAX_MAX) {
    errno = ERANGE;
    return INTMAX_MAX;
  }
  return (intmax_t)parsed.magnitude;
}
