#include <string.h>
/* `*rest` is where the next call goes on; null after the last token. */
char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
  char *token = text == NULL ? *rest : text;
  char *end;
  if (token == NULL) return NULL;
  token += strspn(token, separators);
  if (*token == '\0') {
    *rest = NULL;
    return NULL;
  }
  end = token + strcspn(token, separators);
  if (*end == '\0') {
    *rest = NULL;
  } else {
    *end = '\0';
    *rest = end + 1;
  }
  return token;
}
