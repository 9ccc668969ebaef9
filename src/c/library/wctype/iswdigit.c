#include <ctype.h>
#include <wctype.h>
int iswdigit(wint_t c) {
  return c <= 127 ? isdigit((int)c) : 0;
}
