#include <ctype.h>
#include <string.h>
int strcasecmp(const char *left, const char *right) {
  size_t i = 0;
  for (;;) {
    int a = tolower((unsigned char)left[i]);
    int b = tolower((unsigned char)right[i]);
    if (a != b || a == 0) return a - b;
    i++;
  }
}
