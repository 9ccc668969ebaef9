#include <math.h>
int __provest_fpclassifyf(float x) {
  return x != x ? FP_NAN
    : x == HUGE_VALF || x == -HUGE_VALF ? FP_INFINITE
    : x == 0 ? FP_ZERO
    : -0x1p-126f < x && x < 0x1p-126f ? FP_SUBNORMAL
    : FP_NORMAL;
}
