#include <stdio.h>
#include <string.h>
#include "match.h"
int main(void) {
  static const char *const patterns[] = { "*", "?", "a*b", "*a*", "a?c", "\\*", "a\\?", "**?**", "*abc*d*", "",
      "h\xc3\xa9?lo", "[ab]", "\\", "*\\" };
  static const char *const texts[] = { "", "a", "ab", "abc", "a*b", "aXXb", "xxabcyyd", "*", "a?", "h\xc3\xa9llo",
      "[ab]", "\\" };
  for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) { printf("%s:", patterns[p]);
    for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++)
      printf("%d", match(patterns[p], (long)strlen(patterns[p]), texts[t], (long)strlen(texts[t]))); printf("\n"); }
  return 0;
}
