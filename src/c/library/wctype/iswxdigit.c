#include <ctype.h>
#include <wctype.h>
int iswxdigit(wint_t c) {
  return c <= 127 ? isxdigit((int)c) : 0;
}
