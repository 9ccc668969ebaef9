/* GNU: what runs before and after main, and where a scope is left. */
#include <stdio.h>
#include <stdlib.h>

static void one(void) __attribute__((constructor));
static void one(void) { puts("constructor"); }
__attribute__((constructor(102))) static void later(void) { puts("constructor 102"); }
__attribute__((constructor(101))) void sooner(void) { puts("constructor 101"); }
static void __attribute__((destructor)) last(void) { puts("destructor"); }
static void __attribute__((destructor)) second_last(void) { puts("destructor before it"); }
static void __attribute__((destructor(105))) with_priority(void) { puts("destructor 105"); }
static void handler(void) { puts("handler"); }

static void number(int *n) { printf("number %d\n", *n); *n = -1; }
static void text(char **t) { printf("text %s\n", *t); free(*t); }
#define OWNED __attribute__((cleanup(number)))

static int ways_out(int n) {
  int a OWNED = n, b __attribute__((__cleanup__(number))) = n + 1;
  if (n == 1) return a;
  {
    int c OWNED = 100;
    if (n == 2) goto out;
  }
  for (int i OWNED = 0; i < 3; i++) {
    int x OWNED = i * 10;
    if (i == 0) continue;
    if (i == 1 && n == 3) break;
    if (n == 4) return x + b;
  }
  switch (n) {
    case 5: {
      int y OWNED = 5;
      break;
    }
    default: puts("default");
  }
out:
  return ({ int z OWNED = 7; z + a; });
}

struct pair { int left, right; };
static void pair(struct pair *p) { printf("pair %d\n", p->left); p->left = 0; }
static struct pair returned(void) {
  struct pair p __attribute__((cleanup(pair))) = { 42, 43 };
  return p;
}

int main(void) {
  atexit(handler);
  for (int n = 1; n < 7; n++) printf("= %d\n", ways_out(n));
  printf("%d\n", returned().left);
  char *t __attribute__((cleanup(text))) = malloc(2);
  t[0] = 'h';
  t[1] = 0;
  puts("end");
  return 3;
}
