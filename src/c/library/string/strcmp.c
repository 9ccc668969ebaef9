#include <string.h>
/* Characters compare as unsigned char (C11 7.24.4). */
int strcmp(const char *left, const char *right) {
  size_t i = 0;
  while (left[i] != '\0' && left[i] == right[i]) i++;
  return (int)(unsigned char)left[i] - (int)(unsigned char)right[i];
}
