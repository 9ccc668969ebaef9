#include <ctype.h>
#include <wctype.h>
wint_t towupper(wint_t c) {
  return c <= 127 ? (wint_t)toupper((int)c) : c;
}
