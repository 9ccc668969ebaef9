/* GNU's attributes behind a '*' or an opening parenthesis: those for declarations are meant for the name, an alignment
 * for the pointer's type. */
#include <stdio.h>

struct wide { char c; void *__attribute__((aligned(16))) p; };
struct narrow { char c; void *__attribute__((aligned(1))) p; };

static void text(char **s) { printf("text %s\n", *s); }
static void pair(char *(*s)[2]) { printf("pair %s\n", (*s)[0]); }
static void callback(int (**f)(int)) { printf("callback %d\n", (*f)(4)); }
static int next(int x) { return x + 1; }

static char *leave(int early) {
  char *__attribute__((cleanup(text))) outer = "outer", *__attribute__((cleanup(text))) second = "second";
  if (early) return outer;
  char *__attribute__((cleanup(pair))) both[2] = { "first", 0 };
  int (*__attribute__((cleanup(callback))) f)(int) = next;
  char *(__attribute__((cleanup(text))) grouped) = "grouped";
  return second;
}

int main(void) {
  printf("%s\n", leave(1));
  printf("%s\n", leave(0));
  printf("%zu %zu\n", sizeof(struct wide), sizeof(struct narrow));
  return 0;
}
