#include <string.h>
#include <wctype.h>
/* The place of a class among those that iswctype knows, from 1 on. */
wctype_t wctype(const char *name) {
  static const char *const names[] = { "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
      "space", "upper", "xdigit" };
  for (wctype_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) return i + 1;
  }
  return 0;
}
