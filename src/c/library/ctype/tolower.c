#include <ctype.h>
/* A negative character is taken for the one that it is as an unsigned char, as by glibc; for C its value is undefined
 * (C11 7.4p1). */
int tolower(int c) {
  return 'A' <= c && c <= 'Z' ? c + ('a' - 'A') : -128 <= c && c < -1 ? c + 256 : c;
}
