#include <ctype.h>
#include <provest/character.h>
int isupper(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return 'A' <= c && c <= 'Z' ? 256 : 0;
}
