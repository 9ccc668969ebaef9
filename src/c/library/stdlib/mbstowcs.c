#include <stdlib.h>
size_t mbstowcs(wchar_t *restrict target, const char *restrict text, size_t most) {
  size_t i = 0;
  for (; target == NULL || i < most; i++) {
    if ((unsigned char)text[i] > 127) return (size_t)-1;
    if (target != NULL) target[i] = (wchar_t)text[i];
    if (text[i] == 0) break;
  }
  return i;
}
