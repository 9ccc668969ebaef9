#include <errno.h>
#include <limits.h>
#include <provest/parse_integer.h>
#include <stdlib.h>
long long strtoll(const char *restrict text, char **restrict end, int base) {
  struct provest_integer parsed = __provest_parse_integer(text, end, base);
  if (parsed.negative) {
    if (parsed.magnitude > (unsigned long long)LLONG_MAX) {
      if (parsed.magnitude > (unsigned long long)LLONG_MAX + 1) errno = ERANGE;
      return LLONG_MIN;
    }
    return -(long long)parsed.magnitude;
  }
  if (parsed.magnitude > (unsigned long long)LLONG_MAX) {
    errno = ERANGE;
    return LLONG_MAX;
  }
  return (long long)parsed.magnitude;
}
