#include <math.h>
#include <limits.h>
long long llrint(double x) {
  double whole = rint(x);
  if (!(whole >= (double)LLONG_MIN && whole < -(double)LLONG_MIN)) return LLONG_MIN;
  return (long long)whole;
}
long long llrintf(float x) {
  float whole = rintf(x);
  if (!(whole >= (float)LLONG_MIN && whole < -(float)LLONG_MIN)) return LLONG_MIN;
  return (long long)whole;
}
long long llrintl(long double x) {
  long double whole = rintl(x);
  if (!(whole >= (long double)LLONG_MIN && whole < -(long double)LLONG_MIN)) return LLONG_MIN;
  return (long long)whole;
}
