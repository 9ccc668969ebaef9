#include <ctype.h>
#include <provest/character.h>
int isdigit(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return '0' <= c && c <= '9' ? 2048 : 0;
}
