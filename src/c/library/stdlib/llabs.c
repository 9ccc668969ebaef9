#include <stdlib.h>
/* The least value has no absolute value: a signed overflow of the caller (C11 7.22.6.1). */
long long llabs(long long value) {
  return value < 0 ? -value : value;
}
