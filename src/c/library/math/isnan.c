#include <math.h>
#undef isnan
int isnan(double x) { return __provest_isnan(x); }
