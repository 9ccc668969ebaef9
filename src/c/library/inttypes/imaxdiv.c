#include <inttypes.h>
imaxdiv_t imaxdiv(intmax_t dividend, intmax_t divisor) {
  imaxdiv_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}
