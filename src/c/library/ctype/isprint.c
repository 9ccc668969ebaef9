#include <ctype.h>
#include <provest/character.h>
int isprint(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return 32 <= c && c < 127 ? 16384 : 0;
}
