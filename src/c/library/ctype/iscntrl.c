#include <ctype.h>
int iscntrl(int c) {
  return (0 <= c && c < 32) || c == 127;
}
