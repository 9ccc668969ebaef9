#include <ctype.h>
#include <wctype.h>
wint_t towlower(wint_t c) {
  return c <= 127 ? (wint_t)tolower((int)c) : c;
}
