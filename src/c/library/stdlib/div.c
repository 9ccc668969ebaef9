#include <stdlib.h>
div_t div(int dividend, int divisor) {
  div_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}
