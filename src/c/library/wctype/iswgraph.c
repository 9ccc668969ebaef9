#include <ctype.h>
#include <wctype.h>
int iswgraph(wint_t c) {
  return c <= 127 ? isgraph((int)c) : 0;
}
