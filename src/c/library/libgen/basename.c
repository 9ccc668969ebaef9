#define _GNU_SOURCE
#include <string.h>
/* GNU's: the text behind the last slash. */
char *basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return (char *)(slash == NULL ? path : slash + 1);
}
