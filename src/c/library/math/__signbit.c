#include <math.h>
int __signbit(double x) { return signbit(x); }
int __signbitf(float x) { return signbit(x); }
int __signbitl(long double x) { return signbit(x); }
