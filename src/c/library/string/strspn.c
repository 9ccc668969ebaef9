#include <string.h>
size_t strspn(const char *text, const char *accepted) {
  size_t length = 0;
  while (text[length] != '\0') {
    size_t i = 0;
    while (accepted[i] != '\0' && accepted[i] != text[length]) i++;
    if (accepted[i] == '\0') return length;
    length++;
  }
  return length;
}
