#include <errno.h>
#include <float.h>
#include <provest/parse_number.h>
#include <stdlib.h>
double strtod(const char *restrict text, char **restrict end) {
  size_t length = __provest_number_length(text);
  double value;
  if (end != NULL) *end = (char *)text + length;
  if (length == 0) return 0;
  value = __provest_parse_double(text, length);
  if ((value > DBL_MAX || value < -DBL_MAX || (-DBL_MIN < value && value < DBL_MIN))
      && __provest_number_out_of_range(text, length, 64))
    errno = ERANGE;
  return value;
}
