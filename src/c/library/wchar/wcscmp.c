#include <wchar.h>
int wcscmp(const wchar_t *left, const wchar_t *right) {
  size_t i = 0;
  while (left[i] != 0 && left[i] == right[i]) i++;
  return left[i] < right[i] ? -1 : left[i] > right[i];
}
