#include <wchar.h>
wchar_t *wcsncat(wchar_t *restrict target, const wchar_t *restrict source, size_t most) {
  size_t end = wcslen(target), i = 0;
  for (; i < most && source[i] != 0; i++) target[end + i] = source[i];
  target[end + i] = 0;
  return target;
}
