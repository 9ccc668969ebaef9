#include <wchar.h>
wchar_t *wcschr(const wchar_t *text, wchar_t c) {
  size_t i = 0;
  for (; text[i] != c; i++) if (text[i] == 0) return (wchar_t *)0;
  return (wchar_t *)text + i;
}
