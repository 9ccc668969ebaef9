#include <math.h>
int __finite(double x) { return isfinite(x); }
int __finitef(float x) { return isfinite(x); }
int __finitel(long double x) { return isfinite(x); }
