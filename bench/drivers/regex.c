#include <stdio.h>
#include "re.h"
int main(void) {
  static const char *const patterns[] = { "\\d+", "[a-c]+x?", "^ab*c$", "[^ ]+", ".", "\\w+\\s\\w+", "a.c",
      "[0-9]+:[0-9]+", "x*", "\\S" };
  static const char *const texts[] = { "", "abc", "ac", "abbbbc", "12:34", "hello world", "xxabcx", "a\nc", "  7 seas",
      "\t" };
  for (int p = 0; p < 10; p++) {
    for (int t = 0; t < 10; t++) { int length = -1, at = re_match(patterns[p], texts[t], &length);
      printf("%d/%d ", at, length); }
    puts("");
  }
  return 0;
}
