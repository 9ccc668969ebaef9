#include <wchar.h>
wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t count) {
  for (size_t i = 0; i < count; i++) if (block[i] == c) return (wchar_t *)block + i;
  return NULL;
}
