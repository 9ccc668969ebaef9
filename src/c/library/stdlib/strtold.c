#include <stdlib.h>
long double strtold(const char *restrict text, char **restrict end) {
  return strtod(text, end);
}
