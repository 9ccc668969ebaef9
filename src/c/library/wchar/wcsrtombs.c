#include <errno.h>
#include <wchar.h>
size_t wcsrtombs(char *restrict target, const wchar_t **restrict text, size_t most, mbstate_t *restrict state) {
  size_t i = 0;
  (void)state;
  for (; target == NULL || i < most; i++) {
    wchar_t c = (*text)[i];
    if (c < 0 || c > 127) {
      errno = EILSEQ;
      if (target != NULL) *text += i;
      return (size_t)-1;
    }
    if (target != NULL) target[i] = (char)c;
    if (c == 0) {
      if (target != NULL) *text = NULL;
      return i;
    }
  }
  *text += i;
  return i;
}
