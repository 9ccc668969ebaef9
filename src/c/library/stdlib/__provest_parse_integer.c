#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <provest/parse_integer.h>
#include <stdlib.h>

/* 36 for what is no digit in any base. */
static unsigned digit_value(char c) {
  if ('0' <= c && c <= '9') return (unsigned)(c - '0');
  if ('a' <= c && c <= 'z') return (unsigned)(c - 'a') + 10;
  if ('A' <= c && c <= 'Z') return (unsigned)(c - 'A') + 10;
  return 36;
}

/* C11 7.22.1.4. Without any digits `*end` is `text`. */
struct provest_integer __provest_parse_integer(const char *text, char **end, int base) {
  struct provest_integer result = { 0, 0, 0 };
  const char *at = text;
  unsigned radix;
  int digits = 0;
  /* Then nothing is said of `*end`; glibc leaves it alone. */
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return result;
  }
  if (end != NULL) *end = (char *)text;
  while (isspace((unsigned char)*at)) at++;
  if (*at == '-' || *at == '+') {
    result.negative = *at == '-';
    at++;
  }
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  radix = (unsigned)base;
  while (digit_value(*at) < radix) {
    unsigned digit = digit_value(*at);
    if (result.overflow || result.magnitude > (ULLONG_MAX - digit) / radix) {
      result.overflow = 1;
      result.magnitude = ULLONG_MAX;
    } else {
      result.magnitude = result.magnitude * radix + digit;
    }
    digits = 1;
    at++;
  }
  if (digits && end != NULL) *end = (char *)at;
  return result;
}
