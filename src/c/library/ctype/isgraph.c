#include <ctype.h>
int isgraph(int c) {
  return 32 < c && c < 127;
}
