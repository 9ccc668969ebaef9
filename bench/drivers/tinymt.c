/* TinyMT: integers and floating point numbers of both sizes, seeded in both ways. */
#include <inttypes.h>
#include <stdio.h>
#include "tinymt32.h"
#include "tinymt64.h"

int main(void) {
  tinymt32_t small = { .mat1 = 0x8f7011ee, .mat2 = 0xfc78ff1f, .tmat = 0x3793fdff };
  tinymt64_t large = { .mat1 = 0xfa051f40, .mat2 = 0xffd0fff4, .tmat = UINT64_C(0x58d02ffeffbfffbc) };
  uint32_t key32[] = { 1, 2, 3 };
  uint64_t key64[] = { 1, 2, 3 };
  for (int way = 0; way < 2; way++) {
    if (way) { tinymt32_init_by_array(&small, key32, 3); tinymt64_init_by_array(&large, key64, 3); }
    else { tinymt32_init(&small, 1); tinymt64_init(&large, 1); }
    for (int i = 0; i < 40; i++) {
      printf("%" PRIu32 " %" PRIu64, tinymt32_generate_uint32(&small), tinymt64_generate_uint64(&large));
      printf(" %.7f %.15f\n", tinymt32_generate_float(&small), tinymt64_generate_double(&large));
    }
    printf("%.7f %.15f\n", tinymt32_generate_float12(&small), tinymt64_generate_double12(&large));
    printf("%.7f\n", tinymt32_generate_floatOO(&small));
  }
  return 0;
}
