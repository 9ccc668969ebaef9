#include <errno.h>
#include <stdlib.h>
int posix_memalign(void **result, size_t alignment, size_t size) {
  void *block;
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  block = aligned_alloc(alignment, size);
  if (block == NULL) return ENOMEM;
  *result = block;
  return 0;
}
