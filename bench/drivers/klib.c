#include <stdio.h>
#include "khash.h"
#include "kvec.h"
#include "ksort.h"
#include "kbtree.h"
#include "kstring.h"
KHASH_MAP_INIT_INT(numbers, int)
KHASH_MAP_INIT_STR(words, int)
KSORT_INIT_GENERIC(int)
#define compare(a, b) ((a) - (b))
KBTREE_INIT(set, int, compare)
int main(void) {
  khash_t(numbers) *h = kh_init(numbers); khash_t(words) *w = kh_init(words); kvec_t(int) v; int absent; long sum = 0;
  kbtree_t(set) *b = kb_init(set, KB_DEFAULT_SIZE); kstring_t s = { 0, 0, 0 };
  kv_init(v);
  for (int i = 0; i < 600; i++) { khint_t k = kh_put(numbers, h, i * 31 % 1009, &absent); kh_val(h, k) = i;
    kv_push(int, v, i * 7919 % 1000); int key = i * 37 % 777; if (!kb_getp(set, b, &key)) kb_putp(set, b, &key); }
  for (khint_t k = kh_begin(h); k != kh_end(h); k++) if (kh_exist(h, k)) sum += kh_val(h, k) * kh_key(h, k);
  khint_t at = kh_put(words, w, "one", &absent); kh_val(w, at) = 1; at = kh_put(words, w, "two", &absent);
  kh_val(w, at) = 2;
  ks_introsort(int, kv_size(v), v.a); printf("%u %ld %d %d %d %d\n", kh_size(h), sum, kv_A(v, 0), kv_A(v, 300),
      kb_size(b), kh_val(w, kh_get(words, w, "two")));
  ksprintf(&s, "%d-%s", 42, "x"); kputs(" more", &s); kputw(-7, &s); puts(s.s);
  kh_destroy(numbers, h); kh_destroy(words, w); kv_destroy(v); kb_destroy(set, b); free(s.s);
  return 0;
}
