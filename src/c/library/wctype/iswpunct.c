#include <ctype.h>
#include <wctype.h>
int iswpunct(wint_t c) {
  return c <= 127 ? ispunct((int)c) : 0;
}
