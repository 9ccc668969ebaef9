#include <string.h>
#include <strings.h>
char *rindex(const char *text, int c) {
  return strrchr(text, c);
}
