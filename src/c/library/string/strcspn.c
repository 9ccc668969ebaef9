#include <string.h>
size_t strcspn(const char *text, const char *rejected) {
  size_t length = 0;
  while (text[length] != '\0') {
    size_t i = 0;
    while (rejected[i] != '\0' && rejected[i] != text[length]) i++;
    if (rejected[i] != '\0') return length;
    length++;
  }
  return length;
}
