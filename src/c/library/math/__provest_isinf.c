#include <math.h>
int __provest_isinf(double x) {
  return x == HUGE_VAL || x == -HUGE_VAL;
}
