#include <ctype.h>
#include <provest/character.h>
int iscntrl(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return ((0 <= c && c < 32) || c == 127) ? 2 : 0;
}
