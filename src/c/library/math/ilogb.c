#include <math.h>
#include <limits.h>
int ilogb(double x) {
  if (x == 0 || isnan(x)) return FP_ILOGB0;
  return isinf(x) ? INT_MAX : (int)logb(x);
}
int ilogbf(float x) {
  if (x == 0 || isnan(x)) return FP_ILOGB0;
  return isinf(x) ? INT_MAX : (int)logbf(x);
}
int ilogbl(long double x) {
  if (x == 0 || isnan(x)) return FP_ILOGB0;
  return isinf(x) ? INT_MAX : (int)logbl(x);
}
