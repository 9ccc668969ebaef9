#include <provest/checks.h>
#include <string.h>
char *stpcpy(char *restrict target, const char *restrict source) {
  size_t i = 0;
  while (source[i] != '\0') {
    target[i] = source[i];
    i++;
  }
  target[i] = '\0';
  __provest_check_apart(target, i + 1, source, i + 1);
  return target + i;
}
