#include <ctype.h>
int ispunct(int c) {
  return (32 < c && c < '0') || ('9' < c && c < 'A') || ('Z' < c && c < 'a') || ('z' < c && c < 127);
}
