#include <limits.h>
#include <locale.h>
struct lconv *localeconv(void) {
  static const struct lconv c = { ".", "", "", "", "", "", "", "", "", "", CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
      CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX };
  return (struct lconv *)&c;
}
