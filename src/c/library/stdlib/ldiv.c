#include <stdlib.h>
ldiv_t ldiv(long dividend, long divisor) {
  ldiv_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}
