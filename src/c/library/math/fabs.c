#include <math.h>
double fabs(double x) { return x < 0 ? -x : x == 0 ? 0 : x; }
float fabsf(float x) { return x < 0 ? -x : x == 0 ? 0 : x; }
long double fabsl(long double x) { return x < 0 ? -x : x == 0 ? 0 : x; }
