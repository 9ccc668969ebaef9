/* A scanner whose state is a structure: names, numbers and brackets of a nested text. */
#include <stdio.h>
#include <string.h>
struct scanner { const char *text; size_t at; int depth; };
enum token { END, STRING, NUMBER, OPEN, CLOSE, OTHER };
static void skip(struct scanner *s) { while (s->text[s->at] == ' ' || s->text[s->at] == ',' || s->text[s->at] == ':') s->at++; }
static enum token next(struct scanner *s, char *out, size_t size, long *number) {
  skip(s);
  char c = s->text[s->at];
  if (c == '\0') return END;
  if (c == '"') {
    size_t n = 0;
    s->at++;
    while (s->text[s->at] != '"' && s->text[s->at] != '\0') { if (n + 1 < size) out[n++] = s->text[s->at]; s->at++; }
    out[n] = '\0';
    if (s->text[s->at] == '"') s->at++;
    return STRING;
  }
  if (c >= '0' && c <= '9') {
    *number = 0;
    while (s->text[s->at] >= '0' && s->text[s->at] <= '9') { *number = *number * 10 + (s->text[s->at] - '0'); s->at++; }
    return NUMBER;
  }
  s->at++;
  if (c == '{' || c == '[') { s->depth++; return OPEN; }
  if (c == '}' || c == ']') { s->depth--; return CLOSE; }
  return OTHER;
}
int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    struct scanner s = {"{\"name\": \"widget\", \"sizes\": [12, 450, 7], \"owner\": {\"id\": 99182, \"tag\": \"blue-green\"}}", 0, 0};
    char text[24]; long number; enum token t;
    while ((t = next(&s, text, sizeof text, &number)) != END) {
      if (t == STRING) sum += strlen(text) + (strcmp(text, "owner") == 0);
      else if (t == NUMBER) sum = sum * 31 + number;
      else sum += s.depth;
    }
  }
  printf("%lu\n", sum);
  return 0;
}
