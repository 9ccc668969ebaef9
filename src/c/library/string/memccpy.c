#include <string.h>
void *memccpy(void *restrict target, const void *restrict source, int byte, size_t size) {
  unsigned char *to = target;
  const unsigned char *from = source;
  for (; size > 0; size--) {
    if ((*to++ = *from++) == (unsigned char)byte) return to;
  }
  return NULL;
}
