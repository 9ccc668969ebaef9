#include <ctype.h>
#include <wctype.h>
int iswalpha(wint_t c) {
  return c <= 127 ? isalpha((int)c) : 0;
}
