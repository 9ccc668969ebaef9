#include <ctype.h>
#include <provest/character.h>
int isblank(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return c == ' ' || c == '\t';
}
