#include <wchar.h>
wchar_t *wmemset(wchar_t *target, wchar_t c, size_t count) {
  for (size_t i = 0; i < count; i++) target[i] = c;
  return target;
}
