#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include "umm_malloc_cfg.h"
#include "umm_malloc.h"
static long long heap[2048];
void *umm_heap_of_ours = heap;
uint32_t umm_size_of_ours = sizeof heap;
static unsigned state = 3;
static unsigned any(unsigned below) { state = state * 1664525 + 1013904223; return (state >> 8) % below; }
int main(void) {
  unsigned char *blocks[40] = { 0 }; size_t sizes[40]; unsigned failed = 0;
  umm_init();
  for (int step = 0; step < 2000; step++) {
    unsigned i = any(40);
    if (blocks[i]) {
      for (size_t k = 0; k < sizes[i]; k++) if (blocks[i][k] != (unsigned char)(i * 3 + k)) { printf("lost %u\n", i);
        return 1; }
      if (any(3)) { umm_free(blocks[i]); blocks[i] = NULL; continue; }
      size_t size = 1 + any(400); unsigned char *p = umm_realloc(blocks[i], size);
      if (!p) { failed++; continue; }
      blocks[i] = p; sizes[i] = size;
    } else {
      sizes[i] = 1 + any(700); blocks[i] = any(4) ? umm_malloc(sizes[i]) : umm_calloc(1, sizes[i]);
      if (!blocks[i]) { failed++; continue; }
    }
    for (size_t k = 0; k < sizes[i]; k++) blocks[i][k] = (unsigned char)(i * 3 + k);
    if (step % 400 == 0) printf("%d: %u failed, %d %d, %zu free, largest %zu, %d\n", step, failed,
        umm_integrity_check(), umm_poison_check(), umm_free_heap_size(), umm_max_free_block_size(), umm_usage_metric());
  }
  for (int i = 0; i < 40; i++) umm_free(blocks[i]);
  printf("%zu %d\n", umm_free_heap_size(), umm_integrity_check());
  return 0;
}
