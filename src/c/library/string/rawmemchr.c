#define _GNU_SOURCE
#include <string.h>
void *rawmemchr(const void *bytes, int byte) {
  const unsigned char *at = bytes;
  while (*at != (unsigned char)byte) at++;
  return (void *)at;
}
