#include <string.h>
/* The "C" locale: text is compared as it is. */
size_t strxfrm(char *restrict target, const char *restrict source, size_t size) {
  return strlcpy(target, source, size);
}
