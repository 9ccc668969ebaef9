#include <errno.h>
#include <string.h>
/* The POSIX one. */
int strerror_r(int number, char *target, size_t size) {
  const char *text = strerror(number);
  if (size > 0) strlcpy(target, text, size);
  return strlen(text) < size ? 0 : ERANGE;
}
