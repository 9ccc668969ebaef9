#include <stdlib.h>
#include <string.h>

/* In pieces of known size, as wholes: the bytes of pointers are copied, not looked at. */
static void swap_elements(unsigned char *a, unsigned char *b, size_t size) {
  unsigned char kept[64];
  while (size > 0) {
    size_t piece = size < sizeof kept ? size : sizeof kept;
    memcpy(kept, a, piece);
    memcpy(a, b, piece);
    memcpy(b, kept, piece);
    a += piece;
    b += piece;
    size -= piece;
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
