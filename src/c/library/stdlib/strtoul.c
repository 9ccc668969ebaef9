#include <errno.h>
#include <limits.h>
#include <provest/parse_integer.h>
#include <stdlib.h>
/* A minus sign negates as unsigned types do; what is too great gives the greatest value. */
unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  struct provest_integer parsed = __provest_parse_integer(text, end, base);
  unsigned long value;
  if (parsed.overflow || parsed.magnitude > ULONG_MAX) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  value = (unsigned long)parsed.magnitude;
  return parsed.negative ? 0 - value : value;
}
