#include <wchar.h>
#include <string.h>
wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count) {
  memmove(target, source, count * sizeof *target);
  return target;
}
