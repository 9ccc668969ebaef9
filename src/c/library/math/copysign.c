#include <math.h>
double copysign(double x, double y) { return signbit(x) == signbit(y) ? x : -x; }
float copysignf(float x, float y) { return signbit(x) == signbit(y) ? x : -x; }
long double copysignl(long double x, long double y) { return signbit(x) == signbit(y) ? x : -x; }
