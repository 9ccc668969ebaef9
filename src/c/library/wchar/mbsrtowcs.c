#include <errno.h>
#include <wchar.h>
size_t mbsrtowcs(wchar_t *restrict target, const char **restrict text, size_t most, mbstate_t *restrict state) {
  size_t i = 0;
  (void)state;
  for (; target == NULL || i < most; i++) {
    char c = (*text)[i];
    if ((unsigned char)c > 127) {
      errno = EILSEQ;
      if (target != NULL) *text += i;
      return (size_t)-1;
    }
    if (target != NULL) target[i] = (wchar_t)c;
    if (c == 0) {
      if (target != NULL) *text = NULL;
      return i;
    }
  }
  *text += i;
  return i;
}
