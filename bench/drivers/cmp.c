/* CMP: MessagePack through callbacks over a buffer. */
#include <stdio.h>
#include <string.h>
#include "cmp.h"

static unsigned char store[4096];
static size_t reading, writing;
static bool get(cmp_ctx_t *ctx, void *to, size_t n) { (void)ctx; if (reading + n > writing) return false;
  memcpy(to, store + reading, n); reading += n; return true; }
static bool skip(cmp_ctx_t *ctx, size_t n) { (void)ctx; reading += n; return reading <= writing; }
static size_t put(cmp_ctx_t *ctx, const void *from, size_t n) { (void)ctx; if (writing + n > sizeof store) return 0;
  memcpy(store + writing, from, n); writing += n; return n; }

int main(void) {
  cmp_ctx_t cmp;
  cmp_init(&cmp, store, get, skip, put);
  cmp_write_map(&cmp, 2);
  cmp_write_str(&cmp, "numbers", 7);
  cmp_write_array(&cmp, 20);
  for (int i = 0; i < 10; i++) { cmp_write_integer(&cmp, (i % 2 ? -1LL : 1LL) * (1LL << (6 * i)));
    cmp_write_decimal(&cmp, i / 3.0); }
  cmp_write_str(&cmp, "rest", 4);
  cmp_write_array(&cmp, 5);
  cmp_write_nil(&cmp); cmp_write_bool(&cmp, true); cmp_write_ext(&cmp, 3, 5, "ext!!"); cmp_write_bin(&cmp, "\1\2", 2);
  cmp_write_float(&cmp, 1.25f);
  for (size_t i = 0; i < writing; i++) printf("%02x", store[i]);
  printf("\n");
  cmp_object_t object;
  while (cmp_read_object(&cmp, &object)) {
    long long integer; unsigned long long natural; double real; unsigned size;
    if (cmp_object_as_long(&object, (int64_t *)&integer)) printf("i%lld ", integer);
    else if (cmp_object_as_ulong(&object, (uint64_t *)&natural)) printf("u%llu ", natural);
    else if (cmp_object_as_double(&object, &real)) printf("d%.17g ", real);
    else if (cmp_object_as_str(&object, &size)) { char text[32]; get(&cmp, text, size);
      printf("\"%.*s\" ", (int)size, text); }
    else if (cmp_object_as_bin(&object, &size)) { skip(&cmp, size); printf("b%u ", size); }
    else if (cmp_object_is_nil(&object)) printf("nil ");
    else { signed char type; if (cmp_object_as_ext(&object, &type, &size)) { skip(&cmp, size);
        printf("e%d:%u ", type, size); } else printf("t%d ", object.type); }
  }
  printf("%s\n", cmp_strerror(&cmp));
  return 0;
}
