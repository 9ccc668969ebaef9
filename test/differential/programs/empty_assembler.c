/* GNU: inline assembler without an instruction, which keeps an optimiser from moving or dropping something. */
#include <stdio.h>

static int calls;
static int *place(void) {
  static int value = 5;
  calls++;
  return &value;
}

int main(void) {
  int x = 1, y = 2, values[2] = { 3, 4 };
  struct { int a; } s = { 6 };
  void *laundered = 0;
  __asm__ volatile ("" ::: "memory");
  asm("" : "+r" (x) : "r" (y), [third] "g" (&s), "m" (values[1]) : "memory", "cc");
  asm("" "\n\t" : "+r" (*place()));
  asm("" : "=r" (laundered) : "0" (&s));
  if (calls == 1) asm(""); else asm("");
  printf("%d %d %d %d\n", x, y, calls, ((int *)laundered)[0]);
  asm("" : "=m" (values[calls]));
  asm volatile ("" : "=m" (*place()) : "m" (x));
  printf("%d %d\n", values[1], calls);
  asm("" : "=r" (x) : "0" (40 + y));
  printf("%d\n", x);
  if (__builtin_expect(x > 1, y++)) printf("%d\n", y);
  return 0;
}
