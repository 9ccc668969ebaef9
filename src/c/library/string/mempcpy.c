#define _GNU_SOURCE
#include <string.h>
void *mempcpy(void *restrict target, const void *restrict source, size_t size) {
  return (char *)memcpy(target, source, size) + size;
}
