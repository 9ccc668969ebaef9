#include <stdlib.h>
int wctomb(char *target, wchar_t c) {
  if (target == NULL) return 0;
  if (c < 0 || c > 127) return -1;
  *target = (char)c;
  return 1;
}
