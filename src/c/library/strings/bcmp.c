#include <string.h>
#include <strings.h>
int bcmp(const void *left, const void *right, size_t size) {
  return memcmp(left, right, size);
}
