#include <libgen.h>
#include <string.h>
/* The last part of the path, whose slashes at the end are cut off. */
char *__xpg_basename(char *path) {
  size_t end;
  size_t start;
  if (path == NULL || path[0] == '\0') return (char *)".";
  end = strlen(path);
  while (end > 1 && path[end - 1] == '/') end--;
  start = end;
  if (end == 1 && path[0] == '/') {
    while (path[start] == '/') start++;
    return path + start - 1;
  }
  while (start > 0 && path[start - 1] != '/') start--;
  if (path[end] != '\0') path[end] = '\0';
  return path + start;
}
