#include <stdlib.h>
size_t wcstombs(char *restrict target, const wchar_t *restrict text, size_t most) {
  size_t i = 0;
  for (; target == NULL || i < most; i++) {
    if (text[i] < 0 || text[i] > 127) return (size_t)-1;
    if (target != NULL) target[i] = (char)text[i];
    if (text[i] == 0) break;
  }
  return i;
}
