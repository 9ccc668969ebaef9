/* QuickJS's regular expressions: compiled and matched, with captures, classes, look-around and errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cutils.h"
#include "libregexp.h"

int lre_check_stack_overflow(void *opaque, size_t size) { (void)opaque; (void)size; return 0; }
int lre_check_timeout(void *opaque) { (void)opaque; return 0; }
void *lre_realloc(void *opaque, void *pointer, size_t size) { (void)opaque;
  if (size == 0) { free(pointer); return NULL; } return realloc(pointer, size); }

static const struct { const char *pattern, *text; int flags; } cases[] = {
  { "a(b+)?c", "xxabbbcac", 0 }, { "^(\\d{3})-(\\w+)$", "123-abc", 0 }, { "(a|ab)(c|bcd)(d*)", "abcd", 0 }, {
    "[^a-f]+?z", "qqzz", 0 }, { "(?=.*\\d)\\w{4,}", "abc1", 0 },
  { "(?<!x)y", "xy y", 0 }, { "HeLLo", "say hello", LRE_FLAG_IGNORECASE }, { "(.)\\1", "abccd", 0 }, { "(?<year>\\d+)",
      "in 1999", 0 }, { "a{2,1}", "", 0 }, { "(", "", 0 }, { "[b-a]", "", 0 }, { "\\p{Lu}+", "abcDEF",
      LRE_FLAG_UNICODE }, { "(z)((a+)?(b+)?(c))*", "zaacbbbcac", 0 },
};

int main(void) {
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char message[64];
    int length;
    uint8_t *code = lre_compile(&length, message, sizeof message, cases[i].pattern, strlen(cases[i].pattern),
        cases[i].flags, NULL);
    if (!code) { printf("%s: %s\n", cases[i].pattern, message); continue; }
    int captures = lre_get_capture_count(code);
    uint8_t **capture = calloc((size_t)lre_get_alloc_count(code), sizeof *capture);
    int found = 0;
    const uint8_t *text = (const uint8_t *)cases[i].text;
    int n = (int)strlen(cases[i].text), at = 0;
    for (; at <= n && found == 0; at++) found = lre_exec(capture, code, text, at, n, 0, NULL);
    printf("%s: %d", cases[i].pattern, found);
    if (found == 1) for (int c = 0; c < captures; c++) if (capture[2 * c])
        printf(" [%.*s]", (int)(capture[2 * c + 1] - capture[2 * c]), (char *)capture[2 * c]); else printf(" -");
    printf("\n");
    free(capture);
    free(code);
  }
  return 0;
}
