#include <uchar.h>
size_t c32rtomb(char *restrict target, char32_t c, mbstate_t *restrict state) {
  return wcrtomb(target, (wchar_t)c, state);
}
