#include <math.h>
#include <string.h>
/* In the bits: a carry goes to the exponent, as it should. */
double ceil(double x) {
  unsigned long long bits;
  if (x != x) return x;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent >= 52) return x;
  if (exponent < 0) return x > 0 ? 1 : copysign(0, x);
  unsigned long long fraction = 0xfffffffffffffull >> exponent;
  if ((bits & fraction) == 0) return x;
  if (x > 0) bits += fraction;
  bits &= ~fraction;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
float ceilf(float x) {
  unsigned bits;
  if (x != x) return x;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 23 & 0xff) - 127;
  if (exponent >= 23) return x;
  if (exponent < 0) return x > 0 ? 1 : copysignf(0, x);
  unsigned fraction = 0x7fffffu >> exponent;
  if ((bits & fraction) == 0) return x;
  if (x > 0) bits += fraction;
  bits &= ~fraction;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
long double ceill(long double x) {
  double number = x;
  unsigned long long bits;
  if (x != x) return x;
  memcpy(&bits, &number, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent >= 52) return x;
  if (exponent < 0) return x > 0 ? 1 : copysignl(0, x);
  unsigned long long fraction = 0xfffffffffffffull >> exponent;
  if ((bits & fraction) == 0) return x;
  if (x > 0) bits += fraction;
  bits &= ~fraction;
  memcpy(&number, &bits, sizeof bits);
  return number;
}
