#include <wchar.h>
wchar_t *wcsncpy(wchar_t *restrict target, const wchar_t *restrict source, size_t most) {
  size_t i = 0;
  for (; i < most && source[i] != 0; i++) target[i] = source[i];
  for (; i < most; i++) target[i] = 0;
  return target;
}
