#include <stdio.h>
#include "utf8.h"
int main(void) {
  const char *t = "Stra\xc3\x9f" "e \xe2\x82\xac 12 \xf0\x9f\x98\x80 \xce\xb1\xce\xb2\xce\xb3 end"; char b[100];
  utf8_int32_t c; const void *at = t;
  printf("%zu %zu %zu %d\n", (size_t)utf8len(t), (size_t)utf8size(t), (size_t)utf8nlen(t, 9), utf8valid(t) == 0);
  for (at = utf8codepoint(t, &c); c != 0; at = utf8codepoint(at, &c)) printf("%x:%d ", (unsigned)c,
      (int)utf8codepointsize(c));
  utf8cpy(b, t); utf8upr(b); printf("\n%s\n", b); utf8lwr(b); puts(b);
  printf("%d %d\n", utf8casecmp(b, t), utf8cmp("abc", "abd") < 0);
  printf("%s|%s|%s\n", (char *)utf8chr(t, 0x20ac), (char *)utf8str(t, "12"), (char *)utf8rchr(t, 'e'));
  printf("%d %zu %zu\n", utf8valid("ab\xff\xc3") != 0, (size_t)utf8spn("aabbc", "ab"), (size_t)utf8cspn("xyz1", "123"));
  utf8ncpy(b, t, 8); b[8] = 0; printf("%s\n", b); { void *copy = utf8dup(t); printf("%d\n", utf8cmp(copy, t));
    free(copy); }
  return 0;
}
