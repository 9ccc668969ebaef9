#include <ctype.h>
#include <stdlib.h>
/* What does not fit wraps; C leaves it undefined (C11 7.22.1). */
long long atoll(const char *text) {
  unsigned long long value = 0;
  int negative = 0;
  while (isspace((unsigned char)*text)) text++;
  if (*text == '-' || *text == '+') {
    negative = *text == '-';
    text++;
  }
  while (isdigit((unsigned char)*text)) {
    value = value * 10 + (unsigned long long)(*text - '0');
    text++;
  }
  return (long long)(negative ? 0 - value : value);
}
