#include <ctype.h>
#include <wctype.h>
int iswcntrl(wint_t c) {
  return c <= 127 ? iscntrl((int)c) : 0;
}
