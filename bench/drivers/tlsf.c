#include <stdio.h>
#include <string.h>
#include "tlsf.h"
static unsigned state = 7;
static unsigned any(unsigned below) { state = state * 1664525 + 1013904223; return (state >> 8) % below; }
static void walk(void *p, size_t size, int used, void *user) { unsigned *sums = user; (void)p;
  sums[used ? 0 : 1] += (unsigned)size; sums[2]++; }
int main(void) {
  _Alignas(4096) static long long pool[8192];
  _Alignas(4096) static long long more[2048];
  unsigned char *blocks[60] = { 0 }; size_t sizes[60]; unsigned failed = 0;
  tlsf_t t = tlsf_create_with_pool(pool, sizeof pool);
  pool_t second = NULL;
  printf("%zu %zu %zu %zu\n", tlsf_size(), tlsf_align_size(), tlsf_block_size_min(), tlsf_pool_overhead());
  for (int step = 0; step < 3000; step++) {
    unsigned i = any(60);
    if (blocks[i]) {
      for (size_t k = 0; k < sizes[i]; k++) if (blocks[i][k] != (unsigned char)(i + k)) { printf("lost %u\n", i);
        return 1; }
      if (any(3) == 0) {
        size_t size = 1 + any(900); unsigned char *p = tlsf_realloc(t, blocks[i], size);
        if (!p) { failed++; continue; }
        blocks[i] = p; sizes[i] = size;
      } else { tlsf_free(t, blocks[i]); blocks[i] = NULL; continue; }
    } else {
      sizes[i] = 1 + any(1500);
      blocks[i] = any(4) ? tlsf_malloc(t, sizes[i]) : tlsf_memalign(t, 16u << any(4), sizes[i]);
      if (!blocks[i]) { failed++; continue; }
    }
    for (size_t k = 0; k < sizes[i]; k++) blocks[i][k] = (unsigned char)(i + k);
    if (step == 1500) second = tlsf_add_pool(t, more, sizeof more);
    if (step % 500 == 0) {
      unsigned sums[3] = { 0 };
      tlsf_walk_pool(tlsf_get_pool(t), walk, sums);
      printf("%d: %u used, %u free in %u, %u failed, %d %d\n", step, sums[0], sums[1], sums[2], failed, tlsf_check(t),
          second ? tlsf_check_pool(second) : 0);
    }
  }
  for (int i = 0; i < 60; i++) tlsf_free(t, blocks[i]);
  printf("%d %u\n", tlsf_check(t), failed);
  tlsf_destroy(t);
  return 0;
}
