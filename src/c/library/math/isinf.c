#include <math.h>
#undef isinf
int isinf(double x) { return __provest_isinf(x); }
