#include <string.h>
void *memrchr(const void *bytes, int byte, size_t size) {
  const unsigned char *b = bytes;
  unsigned char wanted = (unsigned char)byte;
  size_t i;
  for (i = size; i > 0; i--) {
    if (b[i - 1] == wanted) return (void *)(b + (i - 1));
  }
  return NULL;
}
