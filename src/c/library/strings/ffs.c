#include <strings.h>
int ffs(int value) {
  int bit = 1;
  unsigned rest = (unsigned)value;
  if (rest == 0) return 0;
  while ((rest & 1) == 0) {
    rest >>= 1;
    bit++;
  }
  return bit;
}
