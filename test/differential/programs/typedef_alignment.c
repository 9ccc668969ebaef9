/* GNU: types that differ from others in their alignment alone. */
#include <stddef.h>
#include <stdio.h>
typedef unsigned loose __attribute__((aligned(1)));
typedef __attribute__((aligned(1))) unsigned long long loose_wide;
typedef struct { int x; char c; } pair;
typedef pair strict_pair __attribute__((aligned(16)));
typedef int strict_int __attribute__((aligned(16)));
typedef int four[4] __attribute__((aligned(2)));
struct packed_by_types { char a; loose b; loose_wide c; };
struct spread { char a; strict_int b; char c; };
struct with_pair { char a; strict_pair pair; };
struct with_array { char a; four b; };

static unsigned read_anywhere(const void *from) { return *(const loose *)from; }

int main(void) {
  unsigned char bytes[16];
  for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(i * 17);
  printf("%u %llu\n", read_anywhere(bytes + 1), *(const loose_wide *)(bytes + 3));
  printf("%zu %zu %zu\n", sizeof(struct packed_by_types), offsetof(struct packed_by_types, b),
      offsetof(struct packed_by_types, c));
  printf("%zu %zu %zu\n", sizeof(struct spread), offsetof(struct spread, b), offsetof(struct spread, c));
  printf("%zu %zu\n", sizeof(struct with_pair), offsetof(struct with_pair, pair));
  printf("%zu %zu\n", sizeof(struct with_array), offsetof(struct with_array, b));
  printf("%zu %zu %zu %zu\n", sizeof(strict_pair), _Alignof(strict_pair), sizeof(strict_int), _Alignof(strict_int));
  struct packed_by_types many[3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  loose copy = many[1].b;
  printf("%zu %u %llu\n", sizeof many, copy, many[1].c);
  return 0;
}
