#include <errno.h>
#include <wchar.h>
size_t wcrtomb(char *restrict target, wchar_t c, mbstate_t *restrict state) {
  (void)state;
  if (target == NULL) return 1;
  if (c < 0 || c > 127) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  *target = (char)c;
  return 1;
}
