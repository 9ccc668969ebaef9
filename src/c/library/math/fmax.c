#include <math.h>
/* Of the zeros the positive one. */
double fmax(double x, double y) {
  if (isnan(x)) return y;
  return x > y || isnan(y) || (x == y && !signbit(x)) ? x : y;
}
float fmaxf(float x, float y) {
  if (isnan(x)) return y;
  return x > y || isnan(y) || (x == y && !signbit(x)) ? x : y;
}
long double fmaxl(long double x, long double y) {
  if (isnan(x)) return y;
  return x > y || isnan(y) || (x == y && !signbit(x)) ? x : y;
}
