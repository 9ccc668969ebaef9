#include <wchar.h>
size_t mbrlen(const char *restrict text, size_t most, mbstate_t *restrict state) {
  return mbrtowc(NULL, text, most, state);
}
