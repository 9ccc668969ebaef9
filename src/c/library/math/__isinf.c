#include <math.h>
/* With the sign, as glibc has it. */
int __isinf(double x) { return x == HUGE_VAL ? 1 : x == -HUGE_VAL ? -1 : 0; }
int __isinff(float x) { return __isinf(x); }
int __isinfl(long double x) { return __isinf(x); }
