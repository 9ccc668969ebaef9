#include <ctype.h>
#include <wctype.h>
int iswlower(wint_t c) {
  return c <= 127 ? islower((int)c) : 0;
}
