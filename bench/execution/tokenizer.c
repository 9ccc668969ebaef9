/* A tokenizer whose functions take addresses of locals: a position that advances, a token that is filled in. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
enum kind { END, NUMBER, NAME, SIGN };
struct token { enum kind kind; int value; char text[16]; };
static const char source[] = "width = 12 * (height + 7) - offset / 2; total = total + width * 1024 - x1;";
static void skipSpace(const char **at) {
  while (**at == ' ') ++*at;
}
static int number(const char **at, int *value) {
  int result = 0, digits = 0;
  while (isdigit((unsigned char)**at)) {
    result = result * 10 + (**at - '0');
    digits++;
    ++*at;
  }
  *value = result;
  return digits;
}
static struct token next(const char **at) {
  struct token token = { END, 0, "" };
  int value;
  skipSpace(at);
  if (number(at, &value) > 0) {
    token.kind = NUMBER;
    token.value = value;
  } else if (isalpha((unsigned char)**at)) {
    char name[16];
    size_t length = 0;
    while (isalnum((unsigned char)**at) && length < sizeof name - 1) name[length++] = *(*at)++;
    name[length] = '\0';
    token.kind = NAME;
    memcpy(token.text, name, length + 1);
  } else if (**at) {
    token.kind = SIGN;
    token.value = *(*at)++;
  }
  return token;
}
int main(void) {
  unsigned numbers = 0, names = 0, signs = 0;
  for (int round = 0; round < SIZE; round++) {
    const char *at = source;
    for (;;) {
      struct token token = next(&at);
      if (token.kind == END) break;
      if (token.kind == NUMBER) numbers += (unsigned)token.value;
      else if (token.kind == NAME) names += (unsigned)token.text[0];
      else signs ^= (unsigned)token.value;
    }
  }
  printf("%u %u %u\n", numbers, names, signs);
  return 0;
}
