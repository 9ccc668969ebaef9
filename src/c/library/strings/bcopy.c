#include <string.h>
#include <strings.h>
void bcopy(const void *source, void *target, size_t size) {
  memmove(target, source, size);
}
