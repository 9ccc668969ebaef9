#include <ctype.h>
#include <string.h>
int strncasecmp(const char *left, const char *right, size_t most) {
  size_t i = 0;
  while (i < most) {
    int a = tolower((unsigned char)left[i]);
    int b = tolower((unsigned char)right[i]);
    if (a != b || a == 0) return a - b;
    i++;
  }
  return 0;
}
