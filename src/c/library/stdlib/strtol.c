#include <errno.h>
#include <limits.h>
#include <provest/parse_integer.h>
#include <stdlib.h>
long strtol(const char *restrict text, char **restrict end, int base) {
  struct provest_integer parsed = __provest_parse_integer(text, end, base);
  if (parsed.negative) {
    if (parsed.magnitude > (unsigned long long)LONG_MAX) {
      if (parsed.magnitude > (unsigned long long)LONG_MAX + 1) errno = ERANGE;
      return LONG_MIN;
    }
    return -(long)parsed.magnitude;
  }
  if (parsed.magnitude > (unsigned long long)LONG_MAX) {
    errno = ERANGE;
    return LONG_MAX;
  }
  return (long)parsed.magnitude;
}
