#include <stdlib.h>
/* glibc's: three steps of a linear congruential generator. */
int rand_r(unsigned *seed) {
  unsigned next = *seed;
  unsigned result;
  next = next * 1103515245u + 12345u;
  result = next / 65536u % 2048u;
  next = next * 1103515245u + 12345u;
  result = result << 10 ^ next / 65536u % 1024u;
  next = next * 1103515245u + 12345u;
  result = result << 10 ^ next / 65536u % 1024u;
  *seed = next;
  return (int)result;
}
