#include <wchar.h>
wchar_t *wmemcpy(wchar_t *restrict target, const wchar_t *restrict source, size_t count) {
  for (size_t i = 0; i < count; i++) target[i] = source[i];
  return target;
}
