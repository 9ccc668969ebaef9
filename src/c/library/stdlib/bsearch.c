#include <stdlib.h>
void *bsearch(const void *key, const void *base, size_t count, size_t size,
    int (*compare)(const void *, const void *)) {
  const char *elements = base;
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = elements + middle * size;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}
