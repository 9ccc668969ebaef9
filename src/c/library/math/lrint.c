#include <math.h>
#include <limits.h>
long lrint(double x) {
  double whole = rint(x);
  if (!(whole >= (double)LONG_MIN && whole < -(double)LONG_MIN)) return LONG_MIN;
  return (long)whole;
}
long lrintf(float x) {
  float whole = rintf(x);
  if (!(whole >= (float)LONG_MIN && whole < -(float)LONG_MIN)) return LONG_MIN;
  return (long)whole;
}
long lrintl(long double x) {
  long double whole = rintl(x);
  if (!(whole >= (long double)LONG_MIN && whole < -(long double)LONG_MIN)) return LONG_MIN;
  return (long)whole;
}
