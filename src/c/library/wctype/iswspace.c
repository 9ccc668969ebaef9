#include <ctype.h>
#include <wctype.h>
int iswspace(wint_t c) {
  return c <= 127 ? isspace((int)c) : 0;
}
