#include <math.h>
/* Of the zeros the negative one. */
double fmin(double x, double y) {
  if (isnan(x)) return y;
  return x < y || isnan(y) || (x == y && signbit(x)) ? x : y;
}
float fminf(float x, float y) {
  if (isnan(x)) return y;
  return x < y || isnan(y) || (x == y && signbit(x)) ? x : y;
}
long double fminl(long double x, long double y) {
  if (isnan(x)) return y;
  return x < y || isnan(y) || (x == y && signbit(x)) ? x : y;
}
