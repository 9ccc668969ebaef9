#include <math.h>
int __provest_isfinite(double x) {
  return -HUGE_VAL < x && x < HUGE_VAL;
}
