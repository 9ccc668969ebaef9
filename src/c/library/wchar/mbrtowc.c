#include <errno.h>
#include <wchar.h>
/* The "C" locale: a character is a byte below 128. */
size_t mbrtowc(wchar_t *restrict target, const char *restrict text, size_t most, mbstate_t *restrict state) {
  (void)state;
  if (text == NULL) return 0;
  if (most == 0) return (size_t)-2;
  if ((unsigned char)*text > 127) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  if (target != NULL) *target = (wchar_t)*text;
  return *text != 0;
}
