#include <wchar.h>
size_t wcsspn(const wchar_t *text, const wchar_t *accepted) {
  size_t i = 0;
  while (text[i] != 0 && wcschr(accepted, text[i]) != NULL) i++;
  return i;
}
