#include <wchar.h>
wchar_t *wcscpy(wchar_t *restrict target, const wchar_t *restrict source) {
  size_t i = 0;
  while (source[i] != 0) {
    target[i] = source[i];
    i++;
  }
  target[i] = 0;
  return target;
}
