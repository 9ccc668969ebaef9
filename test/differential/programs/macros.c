/* What the preprocessor makes of a program. */
#include <stdio.h>
#include <assert.h>
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define VERSION 12
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOG(format, ...) printf("log " format "\n", ##__VA_ARGS__)
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define COUNT_(a, b, c, d, e, n, ...) n
#define LIST(X) X(red) X(green) X(blue)
#define AS_ENUM(name) COLOUR_##name,
#define AS_TEXT(name) #name,
#define f(x) x + f(x)
#define EMPTY
#define LPAREN (
#define RPAREN )
#define G(x) [x]
enum colour { LIST(AS_ENUM) COLOUR_COUNT };
static const char *names[] = { LIST(AS_TEXT) };
static int value12 = 120;
static int (f)(int x) { return x * 2; }
#if defined(VERSION) && VERSION >= 10 && !defined(MISSING) && (1 ? -1 < 0 : 0) && 'a' == 97
#define BRANCH "taken"
#else
#error not taken
#endif
#ifndef MISSING
#  if 0
#    garbage ' here
#  elif VERSION == 12
#    define NESTED 1
#  else
#    define NESTED 2
#  endif
#endif
int main(void) {
  printf("%s %s %s\n", STR(VERSION), XSTR(VERSION), STR("quoted \n" 'c'));
  printf("%d %d\n", XCAT(value, VERSION), MAX(3, MAX(7, 5)));
  LOG("plain"); LOG("%d and %s", 5, "text");
  printf("%d %d\n", COUNT(a), COUNT(a, b, c));
  for (int i = 0; i < COLOUR_COUNT; i++) printf("%s=%d ", names[i], i);
  printf("\n%d %d %s\n", f(3), (f)(4), BRANCH);
  printf("%d %s\n", NESTED, STR(G LPAREN 1 RPAREN EMPTY));
  printf("%s|%s\n", XSTR(G(0)), "con" "cat" "enated");
  printf("%d\n", __LINE__);
#line 500 "renamed.c"
  printf("%d %s\n", __LINE__, __FILE__);
  printf("%s %d\n", __func__, '\x41' + '\101' + '\0');
  printf("tab\there \"quote\" \\ %c \?\n", '\'');
  assert(MAX(1, 2) == 2);
  return \
  0;
}
