#include <wchar.h>
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t i = 0; i < count; i++) if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  return 0;
}
