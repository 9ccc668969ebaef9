#include <stdlib.h>

static void swap_elements(unsigned char *a, unsigned char *b, size_t size) {
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

/*
 * Shell sort: in place, without recursion, and every loop ends whatever `compare` answers. Not stable, as C
 * allows, so that nobody comes to rely on it.
 */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  unsigned char *elements = base;
  size_t gap = 1;
  while (gap < count / 3) gap = gap * 3 + 1;
  while (gap > 0) {
    size_t i;
    for (i = gap; i < count; i++) {
      size_t j = i;
      while (j >= gap && compare(elements + (j - gap) * size, elements + j * size) > 0) {
        swap_elements(elements + (j - gap) * size, elements + j * size, size);
        j -= gap;
      }
    }
    gap = (gap - 1) / 3;
  }
}
