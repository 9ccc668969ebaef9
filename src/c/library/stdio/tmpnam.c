#include <provest/files.h>
#include <stdio.h>
#include <string.h>
/* The next name of no file. */
char *tmpnam(char *target) {
  static char own[L_tmpnam];
  static unsigned made;
  char *name = target != NULL ? target : own;
  do {
    unsigned rest = made++;
    char *digit = name + 15;
    strcpy(name, "/tmp/file000000");
    while (rest > 0 && digit > name + 9) {
      *--digit = (char)('0' + rest % 10);
      rest /= 10;
    }
  } while (made < TMP_MAX && __provest_file_exists(name));
  return name;
}
