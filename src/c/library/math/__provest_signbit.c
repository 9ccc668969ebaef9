#include <math.h>
#include <string.h>
int __provest_signbit(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return (int)(bits >> 63);
}
