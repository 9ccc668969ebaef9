/* A recursive descent parser whose functions return structures: a value and where the text goes on. */
#include <stdio.h>
#include <ctype.h>
struct result { int ok; long value; const char *rest; };
static struct result expression(const char *text);
static const char *skip(const char *t) { while (*t == ' ') t++; return t; }
static struct result primary(const char *text) {
  struct result r = {0, 0, text};
  text = skip(text);
  if (*text == '(') {
    r = expression(text + 1);
    if (r.ok) { r.rest = skip(r.rest); if (*r.rest == ')') r.rest++; else r.ok = 0; }
    return r;
  }
  if (*text == '-') { r = primary(text + 1); r.value = -r.value; return r; }
  while (*text >= '0' && *text <= '9') { r.value = r.value * 10 + (*text - '0'); text++; r.ok = 1; }
  r.rest = text;
  return r;
}
static struct result term(const char *text) {
  struct result left = primary(text);
  while (left.ok) {
    const char *t = skip(left.rest);
    if (*t != '*' && *t != '/') break;
    struct result right = primary(t + 1);
    if (!right.ok || (*t == '/' && right.value == 0)) { left.ok = 0; break; }
    left.value = *t == '*' ? left.value * right.value : left.value / right.value;
    left.rest = right.rest;
  }
  return left;
}
static struct result expression(const char *text) {
  struct result left = term(text);
  while (left.ok) {
    const char *t = skip(left.rest);
    if (*t != '+' && *t != '-') break;
    struct result right = term(t + 1);
    if (!right.ok) return right;
    if (*t == '+') left.value += right.value; else left.value -= right.value;
    left.rest = right.rest;
  }
  return left;
}
int main(void) {
  long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    struct result r = expression("12 * (3 + 45) - -7 / 2 + (8 * (9 - 10)) * 11");
    if (!r.ok) return 1;
    sum += r.value + i % 3;
  }
  printf("%ld\n", sum);
  return 0;
}
