#include <stdio.h>
#include <stdlib.h>
#include "heap.h"
static int compare(const void *a, const void *b, const void *udata) { (void)udata;
  return *(const int *)b - *(const int *)a; }
int main(void) {
  static int numbers[2000];
  heap_t *heap = heap_new(compare, NULL);
  unsigned seed = 7, i, sum = 0;
  for (i = 0; i < 2000; i++) { seed = seed * 1103515245u + 12345u; numbers[i] = (int)(seed >> 16 & 1023);
    heap_offer(&heap, &numbers[i]); }
  printf("%d of %d, has %d\n", heap_count(heap), heap_size(heap) >= 2000, heap_contains_item(heap, &numbers[77]));
  heap_remove_item(heap, &numbers[5]);
  for (i = 0; heap_count(heap) > 0; i++) { int *item = heap_poll(heap); sum = sum * 31 + (unsigned)*item;
    if (i % 250 == 0) printf("%d ", *item); }
  printf("\n%u %u\n", i, sum);
  heap_free(heap);
  return 0;
}
