#include <wchar.h>
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t most) {
  size_t i = 0;
  if (most == 0) return 0;
  while (i < most - 1 && left[i] != 0 && left[i] == right[i]) i++;
  return left[i] < right[i] ? -1 : left[i] > right[i];
}
