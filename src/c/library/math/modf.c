#include <math.h>
double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(isfinite(x) ? x - *whole : isnan(x) ? x : 0, x);
}
float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(isfinite(x) ? x - *whole : isnan(x) ? x : 0, x);
}
long double modfl(long double x, long double *whole) {
  *whole = truncl(x);
  return copysignl(isfinite(x) ? x - *whole : isnan(x) ? x : 0, x);
}
