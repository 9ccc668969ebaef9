#include <ctype.h>
#include <wctype.h>
int iswprint(wint_t c) {
  return c <= 127 ? isprint((int)c) : 0;
}
