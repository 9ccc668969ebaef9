#include <uchar.h>
size_t c16rtomb(char *restrict target, char16_t c, mbstate_t *restrict state) {
  return wcrtomb(target, (wchar_t)c, state);
}
