#include <string.h>
#include <strings.h>
char *index(const char *text, int c) {
  return strchr(text, c);
}
