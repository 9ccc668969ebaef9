#include <string.h>
char *stpncpy(char *restrict target, const char *restrict source, size_t size) {
  size_t length = strnlen(source, size);
  strncpy(target, source, size);
  return target + length;
}
