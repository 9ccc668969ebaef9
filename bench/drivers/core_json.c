#include <stdio.h>
#include <string.h>
#include "core_json.h"
static const char *const texts[] = { "{\"a\":{\"b\":[1,-2.5e3,{\"c\":\"d\\n\\u00e9\"}]},\"t\":true,\"n\":null}",
    "[1, [2, [3]], \"x\"]", " \"s\" ", "-0.5", "{", "{\"a\":1,}", "[1 2]", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "01",
    "1e", "nul", "{\"a\":\"\x01\"}", "\xff", "[[[[[[]]]]]]", "", "{\"a\":1}x" };
static const char *const queries[] = { "a", "a.b[1]", "a.b[2].c", "[1][1][0]", "t", "a.b[9]", "[0", "n", "a..b", "" };
int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    size_t n = strlen(texts[i]); char text[100];
    strcpy(text, texts[i]);
    printf("%u: %d", i, JSON_Validate(text, n));
    for (unsigned q = 0; q < sizeof queries / sizeof *queries; q++) {
      char *value; size_t length; JSONTypes_t type;
      JSONStatus_t s = JSON_SearchT(text, n, queries[q], strlen(queries[q]), &value, &length, &type);
      if (s == JSONSuccess) printf(" %s=%.*s(%d)", queries[q], (int)length, value, type); else printf(" %d", s);
    }
    size_t start = 0, next = 0; JSONPair_t pair = { 0 };
    while (JSON_Iterate(text, n, &start, &next, &pair) == JSONSuccess) printf(" {%.*s:%.*s %d}", (int)pair.keyLength,
        pair.key ? pair.key : "", (int)pair.valueLength, pair.value, pair.jsonType);
    printf("\n");
  }
  return 0;
}
