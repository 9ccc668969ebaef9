#include <math.h>
#include <provest/world.h>
/* Of two zeros C lets it be either; here it is the negative one. */
double fmin(double x, double y) {
  if (isnan(x)) return y;
  return x < y || isnan(y) || (x == y && (x != 0 || __provest_usually(signbit(x)))) ? x : y;
}
float fminf(float x, float y) {
  if (isnan(x)) return y;
  return x < y || isnan(y) || (x == y && (x != 0 || __provest_usually(signbit(x)))) ? x : y;
}
long double fminl(long double x, long double y) {
  if (isnan(x)) return y;
  return x < y || isnan(y) || (x == y && (x != 0 || __provest_usually(signbit(x)))) ? x : y;
}
