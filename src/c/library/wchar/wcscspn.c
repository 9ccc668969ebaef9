#include <wchar.h>
size_t wcscspn(const wchar_t *text, const wchar_t *rejected) {
  size_t i = 0;
  while (text[i] != 0 && wcschr(rejected, text[i]) == NULL) i++;
  return i;
}
