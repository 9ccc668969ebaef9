#include <ctype.h>
int isdigit(int c) {
  return '0' <= c && c <= '9';
}
