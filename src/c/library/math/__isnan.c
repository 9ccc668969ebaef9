#include <math.h>
/* What the macros of glibc's <math.h> call. */
int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }
int __isnanl(long double x) { return x != x; }
