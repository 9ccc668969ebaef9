#include <ctype.h>
int isprint(int c) {
  return 32 <= c && c < 127;
}
