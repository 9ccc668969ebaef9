#include <fenv.h>
int fegetround(void) {
  return FE_TONEAREST;
}
