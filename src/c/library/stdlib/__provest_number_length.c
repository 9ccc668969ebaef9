#include <ctype.h>
#include <provest/parse_number.h>
#include <strings.h>

static const char *past_digits(const char *at, int hexadecimal) {
  while (hexadecimal ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at)) at++;
  return at;
}

/* The digits with at most one point among them, and the exponent; NULL without a digit. */
static const char *past_number(const char *at, int hexadecimal) {
  const char *whole = past_digits(at, hexadecimal);
  const char *end = whole;
  int digits = whole != at;
  if (*end == '.') {
    const char *fraction = past_digits(end + 1, hexadecimal);
    digits = digits || fraction != end + 1;
    end = fraction;
  }
  if (!digits) return NULL;
  if (*end == (hexadecimal ? 'p' : 'e') || *end == (hexadecimal ? 'P' : 'E')) {
    const char *exponent = end + 1;
    if (*exponent == '+' || *exponent == '-') exponent++;
    if (isdigit((unsigned char)*exponent)) end = past_digits(exponent, 0);
  }
  return end;
}

/* C11 7.22.1.3. */
size_t __provest_number_length(const char *text) {
  const char *at = text;
  const char *end;
  while (isspace((unsigned char)*at)) at++;
  if (*at == '+' || *at == '-') at++;
  if (strncasecmp(at, "inf", 3) == 0) return (size_t)(at - text) + (strncasecmp(at, "infinity", 8) == 0 ? 8 : 3);
  if (strncasecmp(at, "nan", 3) == 0) {
    end = at + 3;
    if (*end == '(') {
      end++;
      while (isalnum((unsigned char)*end) || *end == '_') end++;
      end = *end == ')' ? end + 1 : at + 3;
    }
    return (size_t)(end - text);
  }
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    end = past_number(at + 2, 1);
    if (end != NULL) return (size_t)(end - text);
  }
  end = past_number(at, 0);
  return end == NULL ? 0 : (size_t)(end - text);
}
