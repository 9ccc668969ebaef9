#include <string.h>
size_t strnlen(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length] != '\0') length++;
  return length;
}
