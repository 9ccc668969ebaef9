#include <string.h>
void *memchr(const void *bytes, int byte, size_t size) {
  const unsigned char *b = bytes;
  unsigned char wanted = (unsigned char)byte;
  size_t i;
  for (i = 0; i < size; i++) {
    if (b[i] == wanted) return (void *)(b + i);
  }
  return NULL;
}
