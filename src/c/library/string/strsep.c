#include <string.h>
char *strsep(char **restrict text, const char *restrict separators) {
  char *start = *text;
  char *end;
  if (start == NULL) return NULL;
  end = start + strcspn(start, separators);
  if (*end == 0) {
    *text = NULL;
  } else {
    *end = 0;
    *text = end + 1;
  }
  return start;
}
