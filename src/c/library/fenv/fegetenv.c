#include <fenv.h>
int fegetenv(fenv_t *environment) {
  environment->provest_unused = 0;
  return 0;
}
