#define _GNU_SOURCE
#include <string.h>
void *memmem(const void *bytes, size_t size, const void *part, size_t partSize) {
  const char *at = bytes;
  if (partSize == 0) return (void *)bytes;
  for (; size >= partSize; size--, at++) {
    if (*at == *(const char *)part && memcmp(at, part, partSize) == 0) return (void *)at;
  }
  return NULL;
}
