#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "toml.h"
static void array(const toml_array_t *a);
static void table(const toml_table_t *t, int depth);
static void value(toml_raw_t raw) {
  char *text; int truth; int64_t n; double d; toml_timestamp_t when;
  if (!toml_rtos(raw, &text)) { printf("\"%s\"", text); free(text); }
  else if (!toml_rtob(raw, &truth)) printf("%s", truth ? "true" : "false");
  else if (!toml_rtoi(raw, &n)) printf("%lld", (long long)n);
  else if (!toml_rtod(raw, &d)) printf("%.10g", d);
  else if (!toml_rtots(raw, &when)) printf("%s%d-%d %s%d:%d %s", when.year ? "day " : "", when.year ? *when.year : 0,
      when.month ? *when.month : 0, when.hour ? "at " : "", when.hour ? *when.hour : 0, when.second ? *when.second : 0,
      when.z ? when.z : "");
  else printf("?");
}
static void array(const toml_array_t *a) {
  printf("%c%c[", toml_array_kind(a), toml_array_type(a));
  for (int i = 0; i < toml_array_nelem(a); i++) {
    toml_raw_t raw = toml_raw_at(a, i);
    const toml_array_t *inner = toml_array_at(a, i); const toml_table_t *t = toml_table_at(a, i);
    if (i) printf(", ");
    if (raw) value(raw); else if (inner) array(inner); else if (t) table(t, 9);
  }
  printf("]");
}
static void table(const toml_table_t *t, int depth) {
  const char *key;
  for (int i = 0; (key = toml_key_in(t, i)) != NULL; i++) {
    toml_raw_t raw = toml_raw_in(t, key);
    const toml_array_t *a = toml_array_in(t, key); const toml_table_t *inner = toml_table_in(t, key);
    printf("%*s%s = ", depth, "", key);
    if (raw) value(raw); else if (a) array(a); else if (inner) { printf("\n"); table(inner, depth + 2); }
    printf("\n");
  }
}
static const char *const texts[] = {
  "title = \"TOML\" # comment\n[owner]\nname = 'a \\ b'\ndob = 1979-05-27T07:32:00-08:00\n[database]\n"
  "ports = [ 8001, 8001, 8002 ]\ntemp = { cpu = 79.5, case = 72.0 }\nenabled = true\n",
  "[[a]]\nx = 1\n[[a]]\nx = 2\n[[a.b]]\ny = 0x_1\n",
      "n = [ 0xff, 0o17, 0b101, 1_000, -7, +3 ]\nf = [ 1e3, -0.5, inf, nan, 6.02e+23 ]\n",
      "s = \"\"\"\none\\\n   two \\u00e9 \\U0001F600\n\"\"\"\nt = '''raw \\n'''\n",
  "a.b.c = 1\na.b.d = 'x'\n\"quoted key\" = 2\n", "mixed = [ [1, 2], [\"a\", \"b\"] ]\nt = 07:32:00\nd = 1979-05-27\n",
      "x = \n", "x = 1\nx = 2\n", "[t\n", "s = \"open\n", "k = [1, 2\n", "= 3\n", "", "a = 1979-13-01\n", "b = 01\n",
      "\xef\xbb\xbfz = 1\n",
};
int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char error[200] = ""; char *copy = strdup(texts[i]);
    toml_table_t *t = toml_parse(copy, error, sizeof error);
    free(copy);
    if (!t) { printf("%u: error: %s\n", i, error); continue; }
    printf("%u: %d %d %d\n", i, toml_table_nkval(t), toml_table_narr(t), toml_table_ntab(t)); table(t, 2);
    toml_free(t);
  }
  return 0;
}
