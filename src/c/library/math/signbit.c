#include <math.h>
#undef signbit
int signbit(double x) { return __provest_signbit(x); }
