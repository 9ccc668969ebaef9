#include <locale.h>
/* There is one locale. */
char *setlocale(int category, const char *name) {
  (void)category;
  if (name == NULL || name[0] == 0 || (name[0] == 'C' && name[1] == 0)) return "C";
  return NULL;
}
