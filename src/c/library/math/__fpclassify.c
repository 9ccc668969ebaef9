#include <math.h>
int __fpclassify(double x) { return __provest_fpclassify(x); }
int __fpclassifyf(float x) { return __provest_fpclassifyf(x); }
int __fpclassifyl(long double x) { return __provest_fpclassify(x); }
