#include <string.h>
int strncmp(const char *left, const char *right, size_t most) {
  size_t i = 0;
  while (i < most) {
    if (left[i] != right[i]) return (int)(unsigned char)left[i] - (int)(unsigned char)right[i];
    if (left[i] == '\0') return 0;
    i++;
  }
  return 0;
}
