#include <uchar.h>
size_t mbrtoc32(char32_t *restrict target, const char *restrict text, size_t most, mbstate_t *restrict state) {
  wchar_t c = 0;
  size_t length = mbrtowc(&c, text, most, state);
  if (length <= 1 && text != NULL && target != NULL) *target = (char32_t)c;
  return length;
}
