/* Selections, loops and their bodies are blocks of their own (C11 6.8.4p3, 6.8.5p5), and what else blocks may hold. */
#include <stdio.h>

enum { in = 0 };
typedef union { int i; float f; char text[4]; } value;

static int pick(value v) { return v.i; }

int main(void) {
  if (sizeof(enum { in = 1 }) && in) printf("if %d\n", in);
  while (sizeof(enum { in = 2 })) { printf("while %d\n", in); break; }
  do printf("do %d\n", in); while (0 * sizeof(enum { in = 3 }));
  switch (sizeof(enum { in = 4 })) default: printf("switch %d\n", in);
  for (int i = 0; i < 2; i++) { int i = 5; printf("for %d\n", i++); }
  if (in) ; else printf("else %d\n", (int)sizeof(struct in { char c[in + 7]; }));
  printf("%d %d\n", in, pick((value)42));
  value v = (value)1.5f;
  printf("%g\n", v.f);
  struct pair { int a, b; } pairs[6] = { [1 ... 3] = (struct pair){ 4, v.i ? 5 : 6 }, [5].b = 9 };
  for (int i = 0; i < 6; i++) printf("%d%d ", pairs[i].a, pairs[i].b);
  puts("");
  return 0;
}
