#include <stdlib.h>
/* POSIX prescribes the sequence: 48 bits, x -> 25214903917 x + 11. */
static unsigned long long state;
static unsigned long long next(void) {
  state = (state * 0x5deece66dull + 11) & 0xffffffffffffull;
  return state;
}
void srand48(long seed) {
  state = ((unsigned long long)seed & 0xffffffffull) << 16 | 0x330e;
}
double drand48(void) {
  return (double)next() / 281474976710656.0;
}
long lrand48(void) {
  return (long)(next() >> 17);
}
long mrand48(void) {
  return (long)(int)(unsigned)(next() >> 16);
}
