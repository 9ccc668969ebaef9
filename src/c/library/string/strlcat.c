#include <string.h>
size_t strlcat(char *restrict target, const char *restrict source, size_t size) {
  size_t length = strnlen(target, size);
  return length + strlcpy(target + length, source, size - length);
}
