#include <math.h>
#undef isfinite
int isfinite(double x) { return __provest_isfinite(x); }
