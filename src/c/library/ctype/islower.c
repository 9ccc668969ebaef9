#include <ctype.h>
int islower(int c) {
  return 'a' <= c && c <= 'z';
}
