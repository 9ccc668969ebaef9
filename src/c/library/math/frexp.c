#include <math.h>
double frexp(double x, int *exponent) {
  int power;
  if (x == 0 || !isfinite(x)) {
    *exponent = 0;
    return x;
  }
  power = (int)logb(x) + 1;
  *exponent = power;
  return scalbn(scalbn(x, -power / 2), -power - -power / 2);
}
float frexpf(float x, int *exponent) {
  int power;
  if (x == 0 || !isfinite(x)) {
    *exponent = 0;
    return x;
  }
  power = (int)logbf(x) + 1;
  *exponent = power;
  return scalbnf(scalbnf(x, -power / 2), -power - -power / 2);
}
long double frexpl(long double x, int *exponent) {
  int power;
  if (x == 0 || !isfinite(x)) {
    *exponent = 0;
    return x;
  }
  power = (int)logbl(x) + 1;
  *exponent = power;
  return scalbnl(scalbnl(x, -power / 2), -power - -power / 2);
}
