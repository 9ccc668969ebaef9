#include <ctype.h>
#include <wctype.h>
int iswupper(wint_t c) {
  return c <= 127 ? isupper((int)c) : 0;
}
