#define STB_DS_IMPLEMENTATION
#include <stdio.h>
#include "stb_ds.h"
int main(void) {
  int *a = NULL; struct { int key; double value; } *m = NULL; struct { char *key; int value; } *s = NULL;
  char name[20]; double sum = 0;
  for (int i = 0; i < 300; i++) arrput(a, i * i); arrdel(a, 5); arrins(a, 2, 77);
  printf("%d %d %d %d\n", (int)arrlen(a), a[2], a[5], arrlast(a));
  for (int i = 0; i < 500; i++) hmput(m, i * 7, i / 2.0); for (int i = 0; i < 500; i += 2) hmdel(m, i * 7);
  for (int i = 0; i < hmlen(m); i++) sum += m[i].value; printf("%d %g ", (int)hmlen(m), sum);
  printf("%g ", hmget(m, 7)); printf("%d\n", (int)hmgeti(m, 14));
  sh_new_strdup(s); for (int i = 0; i < 100; i++) { sprintf(name, "n%d", i); shput(s, name, i); }
  printf("%d ", (int)shlen(s)); printf("%d ", shget(s, "n42")); printf("%d\n", (int)shgeti(s, "zz"));
  arrfree(a); hmfree(m); shfree(s);
  return 0;
}
