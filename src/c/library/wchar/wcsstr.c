#include <wchar.h>
wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted) {
  for (;; text++) {
    size_t i = 0;
    while (wanted[i] != 0 && text[i] == wanted[i]) i++;
    if (wanted[i] == 0) return (wchar_t *)text;
    if (*text == 0) return NULL;
  }
}
