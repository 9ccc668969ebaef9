#include <ctype.h>
#include <provest/character.h>
int islower(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return 'a' <= c && c <= 'z' ? 512 : 0;
}
