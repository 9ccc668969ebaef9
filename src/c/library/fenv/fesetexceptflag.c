#include <fenv.h>
int fesetexceptflag(const fexcept_t *flags, int exceptions) {
  (void)exceptions;
  (void)*flags;
  return 0;
}
