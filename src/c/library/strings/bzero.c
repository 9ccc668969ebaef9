#include <string.h>
void bzero(void *target, size_t size) {
  memset(target, 0, size);
}
