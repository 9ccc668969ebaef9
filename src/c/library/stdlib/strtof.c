#include <errno.h>
#include <float.h>
#include <provest/parse_number.h>
#include <stdlib.h>
float strtof(const char *restrict text, char **restrict end) {
  size_t length = __provest_number_length(text);
  float value;
  if (end != NULL) *end = (char *)text + length;
  if (length == 0) return 0;
  value = __provest_parse_float(text, length);
  if ((value > FLT_MAX || value < -FLT_MAX || (-FLT_MIN < value && value < FLT_MIN))
      && __provest_number_out_of_range(text, length, 32))
    errno = ERANGE;
  return value;
}
