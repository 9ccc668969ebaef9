#include <libgen.h>
#include <string.h>
/* The path without its last part, cut where it stands. Two leading slashes, but not three, are another root than one,
 * as POSIX allows. */
char *dirname(char *path) {
  size_t end;
  if (path == NULL || strchr(path, '/') == NULL) return (char *)".";
  end = strlen(path);
  while (end > 0 && path[end - 1] == '/') end--;
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0 && path[0] != '/') return (char *)".";
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) end = path[1] == '/' && path[2] != '/' ? 2 : 1;
  path[end] = '\0';
  return path;
}
