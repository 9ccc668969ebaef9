#include <math.h>
#include <string.h>
double trunc(double x) {
  unsigned long long bits;
  if (x != x) return x;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent >= 52) return x;
  if (exponent < 0) return copysign(0, x);
  unsigned long long fraction = 0xfffffffffffffull >> exponent;
  if ((bits & fraction) == 0) return x;
  bits &= ~fraction;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
float truncf(float x) {
  unsigned bits;
  if (x != x) return x;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 23 & 0xff) - 127;
  if (exponent >= 23) return x;
  if (exponent < 0) return copysignf(0, x);
  unsigned fraction = 0x7fffffu >> exponent;
  if ((bits & fraction) == 0) return x;
  bits &= ~fraction;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
long double truncl(long double x) {
  double number = x;
  unsigned long long bits;
  if (x != x) return x;
  memcpy(&bits, &number, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent >= 52) return x;
  if (exponent < 0) return copysignl(0, x);
  unsigned long long fraction = 0xfffffffffffffull >> exponent;
  if ((bits & fraction) == 0) return x;
  bits &= ~fraction;
  memcpy(&number, &bits, sizeof bits);
  return number;
}
