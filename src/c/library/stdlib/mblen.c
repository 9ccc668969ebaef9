#include <stdlib.h>
/* The "C" locale: a character is a byte. */
int mblen(const char *text, size_t most) {
  return mbtowc(NULL, text, most);
}
