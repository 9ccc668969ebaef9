#include <string.h>
char *strpbrk(const char *text, const char *accepted) {
  size_t length = strcspn(text, accepted);
  return text[length] == '\0' ? NULL : (char *)(text + length);
}
