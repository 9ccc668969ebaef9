#include <errno.h>
#include <limits.h>
#include <provest/parse_integer.h>
#include <stdlib.h>
/* A minus sign negates as unsigned types do; what is too great gives the greatest value. */
unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  struct provest_integer parsed = __provest_parse_integer(text, end, base);
  unsigned long long value;
  if (parsed.overflow || parsed.magnitude > ULLONG_MAX) {
    errno = ERANGE;
    return ULLONG_MAX;
  }
  value = (unsigned long long)parsed.magnitude;
  return parsed.negative ? 0 - value : value;
}
