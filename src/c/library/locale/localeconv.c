#include <limits.h>
#include <locale.h>
struct lconv *localeconv(void) {
  static struct lconv c = { ".", "", "", "", "", "", "", "", "", "", CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX };
  return &c;
}
