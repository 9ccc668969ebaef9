#include <errno.h>
#include <stdint.h>
#include <provest/parse_integer.h>
#include <inttypes.h>
/* A minus sign negates as unsigned types do; what is too great gives the greatest value. */
uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) {
  struct provest_integer parsed = __provest_parse_integer(text, end, base);
  uintmax_t value;
  if (parsed.overflow || parsed.magnitude > UINTMAX_MAX) {
    errno = ERANGE;
    return UINTMAX_MAX;
  }
  value = (uintmax_t)parsed.magnitude;
  return parsed.negative ? 0 - value : value;
}
