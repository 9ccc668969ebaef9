/* Lines of settings: cut by strchr, trimmed in a local buffer, compared and converted. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
static const char text[] = "# comment\nname = value one\n  size=  4096 \n\n[section]\nflag = yes\nratio = 12\npath = /usr/local/share\n";
static char *trim(char *s) {
  while (isspace((unsigned char)*s)) s++;
  size_t n = strlen(s);
  while (n > 0 && isspace((unsigned char)s[n - 1])) s[--n] = '\0';
  return s;
}
int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    const char *at = text;
    while (*at) {
      const char *end = strchr(at, '\n');
      size_t n = end ? (size_t)(end - at) : strlen(at);
      char line[64];
      if (n >= sizeof line) n = sizeof line - 1;
      memcpy(line, at, n);
      line[n] = '\0';
      char *s = trim(line);
      if (*s != '#' && *s != '[' && *s) {
        char *eq = strchr(s, '=');
        if (eq) { *eq = '\0'; char *k = trim(s), *v = trim(eq + 1); if (strcmp(k, "size") == 0) sum += strtol(v, NULL, 10); sum += strlen(k) * 3 + strlen(v); }
      }
      at = end ? end + 1 : at + n;
    }
    sum = sum * 31 + i;
  }
  printf("%lu\n", sum);
  return 0;
}
