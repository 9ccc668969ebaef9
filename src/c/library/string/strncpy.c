#include <provest/checks.h>
#include <string.h>
char *strncpy(char *restrict target, const char *restrict source, size_t size) {
  size_t i = 0;
  while (i < size && source[i] != '\0') {
    target[i] = source[i];
    i++;
  }
  size_t length = i;
  while (i < size) {
    target[i] = '\0';
    i++;
  }
  __provest_check_apart(target, size, source, length + (length < size));
  return target;
}
