#include <ctype.h>
#include <provest/character.h>
int isalpha(int c) {
  __provest_check_read(__provest_characters + 128 + c, 1);
  return (('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z')) ? 1024 : 0;
}
