#include <math.h>
#undef isnormal
int isnormal(double x) { return __provest_fpclassify(x) == FP_NORMAL; }
