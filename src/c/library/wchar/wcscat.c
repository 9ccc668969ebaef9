#include <wchar.h>
wchar_t *wcscat(wchar_t *restrict target, const wchar_t *restrict source) {
  wcscpy(target + wcslen(target), source);
  return target;
}
