#include <math.h>
#include <limits.h>
long lround(double x) {
  double whole = round(x);
  if (!(whole >= (double)LONG_MIN && whole < -(double)LONG_MIN)) return LONG_MIN;
  return (long)whole;
}
long lroundf(float x) {
  float whole = roundf(x);
  if (!(whole >= (float)LONG_MIN && whole < -(float)LONG_MIN)) return LONG_MIN;
  return (long)whole;
}
long lroundl(long double x) {
  long double whole = roundl(x);
  if (!(whole >= (long double)LONG_MIN && whole < -(long double)LONG_MIN)) return LONG_MIN;
  return (long)whole;
}
