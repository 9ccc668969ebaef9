#include <ctype.h>
#include <wctype.h>
int iswalnum(wint_t c) {
  return c <= 127 ? isalnum((int)c) : 0;
}
