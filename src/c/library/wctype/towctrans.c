#include <wctype.h>
extern const int __provest_mappings[2];
wint_t towctrans(wint_t c, wctrans_t mapping) {
  if (mapping == &__provest_mappings[0]) return towlower(c);
  if (mapping == &__provest_mappings[1]) return towupper(c);
  return c;
}
