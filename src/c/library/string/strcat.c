#include <provest/checks.h>
#include <string.h>
char *strcat(char *restrict target, const char *restrict source) {
  size_t end = 0;
  size_t i = 0;
  while (target[end] != '\0') end++;
  while (source[i] != '\0') {
    target[end + i] = source[i];
    i++;
  }
  target[end + i] = '\0';
  __provest_check_apart(target + end, i + 1, source, i + 1);
  return target;
}
