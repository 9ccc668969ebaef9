#include <ctype.h>
#include <provest/character.h>
int isspace(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return (c == ' ' || ('\t' <= c && c <= '\r')) ? 8192 : 0;
}
