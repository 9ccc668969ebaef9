#include <stdlib.h>
lldiv_t lldiv(long long dividend, long long divisor) {
  lldiv_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}
