/* Numbers that were pointers, changed so that they lead before the beginning of an object and back, as allocators do
 * with the headers of their blocks. */
#include <stdint.h>
#include <stdio.h>

struct block { struct block *before; uintptr_t size; long data[2]; };
static long first[64], pool[64], other[64];

static struct block *at(void *p, intptr_t distance) { return (struct block *)((intptr_t)p + distance); }

int main(void) {
  long sum = 0;
  for (int round = 0; round < 3000; round++) {
    /* The header's first member lies before the pool and is never touched. */
    struct block *b = at(pool, -(intptr_t)sizeof(void *));
    b->size = 5 + (uintptr_t)round;
    b->data[0] = round;
    struct block *next = at(b->data, 4 * (intptr_t)sizeof(long));
    next->before = b;
    next->before->data[1] += 2;
    sum += pool[0] + pool[2] + first[0] + first[63] + other[0];
    if ((uintptr_t)b + sizeof(void *) != (uintptr_t)pool || (void *)((uintptr_t)b + sizeof(void *)) != (void *)pool)
        sum -= 1000000;
  }
  printf("%ld %ld %ld %ld %ld %ld\n", sum, pool[0], pool[1], pool[2], first[63], other[0]);
  printf("%d %d %d\n", (intptr_t)(void *)-1 == -1, (void *)(intptr_t)-1 == (void *)-1, (uintptr_t)(void *)0xE000E100u
      == 0xE000E100u);
  char *p = (char *)((uintptr_t)pool - 16), *q = (char *)((uintptr_t)pool ^ (uintptr_t)other);
  printf("%d %d\n", (void *)(p + 16) == (void *)pool, (void *)((uintptr_t)q ^ (uintptr_t)other) == (void *)pool);
  return 0;
}
