#include <string.h>
static char *strtok_rest;
char *strtok(char *restrict text, const char *restrict separators) {
  return strtok_r(text, separators, &strtok_rest);
}
