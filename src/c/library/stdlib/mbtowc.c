#include <stdlib.h>
/* The "C" locale: a character is a byte below 128. */
int mbtowc(wchar_t *restrict target, const char *restrict text, size_t most) {
  if (text == NULL) return 0;
  if (most == 0 || (unsigned char)*text > 127) return -1;
  if (target != NULL) *target = (wchar_t)(unsigned char)*text;
  return *text != 0;
}
