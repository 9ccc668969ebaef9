#include <math.h>
int __provest_fpclassify(double x) {
  return x != x ? FP_NAN
    : x == HUGE_VAL || x == -HUGE_VAL ? FP_INFINITE
    : x == 0 ? FP_ZERO
    : -0x1p-1022 < x && x < 0x1p-1022 ? FP_SUBNORMAL
    : FP_NORMAL;
}
