#include <math.h>
#include <limits.h>
long long llround(double x) {
  double whole = round(x);
  if (!(whole >= (double)LLONG_MIN && whole < -(double)LLONG_MIN)) return LLONG_MIN;
  return (long long)whole;
}
long long llroundf(float x) {
  float whole = roundf(x);
  if (!(whole >= (float)LLONG_MIN && whole < -(float)LLONG_MIN)) return LLONG_MIN;
  return (long long)whole;
}
long long llroundl(long double x) {
  long double whole = roundl(x);
  if (!(whole >= (long double)LLONG_MIN && whole < -(long double)LLONG_MIN)) return LLONG_MIN;
  return (long long)whole;
}
