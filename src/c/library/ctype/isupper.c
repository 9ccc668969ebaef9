#include <ctype.h>
int isupper(int c) {
  return 'A' <= c && c <= 'Z';
}
