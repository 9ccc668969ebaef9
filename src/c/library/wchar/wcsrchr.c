#include <wchar.h>
wchar_t *wcsrchr(const wchar_t *text, wchar_t c) {
  const wchar_t *found = NULL;
  for (;; text++) {
    if (*text == c) found = text;
    if (*text == 0) return (wchar_t *)found;
  }
}
