#include <ctype.h>
#include <provest/character.h>
int ispunct(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return ((32 < c && c < '0') || ('9' < c && c < 'A') || ('Z' < c && c < 'a') || ('z' < c && c < 127)) ? 4 : 0;
}
