#include <math.h>
/* The low three bits of the quotient, with its sign. */
double remquo(double x, double y, int *quotient) {
  double rest = remainder(x, y);
  double nearest = fmod(fabs(x), 8 * fabs(y));
  double small = fmod(fabs(x), fabs(y));
  int bits = 0;
  if (isfinite(x) && isfinite(y) && y != 0 && isfinite(8 * y))
    bits = (int)rint((nearest - small) / fabs(y)) + (small != 0 && (rest < 0) != (x < 0) ? 1 : 0);
  *quotient = signbit(x) != signbit(y) ? -(bits & 7) : bits & 7;
  return rest;
}
/* The low three bits of the quotient, with its sign. */
float remquof(float x, float y, int *quotient) {
  float rest = remainderf(x, y);
  float nearest = fmodf(fabsf(x), 8 * fabsf(y));
  float small = fmodf(fabsf(x), fabsf(y));
  int bits = 0;
  if (isfinite(x) && isfinite(y) && y != 0 && isfinite(8 * y))
    bits = (int)rintf((nearest - small) / fabsf(y)) + (small != 0 && (rest < 0) != (x < 0) ? 1 : 0);
  *quotient = signbit(x) != signbit(y) ? -(bits & 7) : bits & 7;
  return rest;
}
/* The low three bits of the quotient, with its sign. */
long double remquol(long double x, long double y, int *quotient) {
  long double rest = remainderl(x, y);
  long double nearest = fmodl(fabsl(x), 8 * fabsl(y));
  long double small = fmodl(fabsl(x), fabsl(y));
  int bits = 0;
  if (isfinite(x) && isfinite(y) && y != 0 && isfinite(8 * y))
    bits = (int)rintl((nearest - small) / fabsl(y)) + (small != 0 && (rest < 0) != (x < 0) ? 1 : 0);
  *quotient = signbit(x) != signbit(y) ? -(bits & 7) : bits & 7;
  return rest;
}
