#include <ctype.h>
#include <wctype.h>
int iswblank(wint_t c) {
  return c <= 127 ? isblank((int)c) : 0;
}
