#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"
int main(void) {
  static const char *const texts[] = { "{\"a\":{\"b\":[1,-2.5e3,{\"c\":\"d\\n\\u00e9\"}]},\"t\":true,\"n\":null}",
      "[1, [2, [3]], \"x\"]", "{\"a\":1,}", "{a: 1, 'b': 0x1F, c: +.5, d: Infinity,}", "a = 1 b = 2",
      "/* c */ [1 2 // d\n3]", "{", "\"\\ud83d\\ude00\"", "", "[\"open]", "{\"a\" 1}", "[1,,2]" };
  static const size_t flags[] = { json_parse_flags_default, json_parse_flags_allow_simplified_json,
      json_parse_flags_allow_json5, json_parse_flags_allow_location_information };
  for (unsigned f = 0; f < 4; f++) for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct json_parse_result_s r; size_t size;
    struct json_value_s *v = json_parse_ex(texts[i], strlen(texts[i]), flags[f], NULL, NULL, &r);
    printf("%u %u: ", f, i);
    if (!v) { printf("error %zu at %zu, line %zu, column %zu\n", r.error, r.error_offset, r.error_line_no,
        r.error_row_no); continue; }
    char *s = json_write_minified(v, &size); printf("%s (%zu) ", s ? s : "-", s ? size : 0); free(s);
    s = json_write_pretty(v, "  ", "\n", &size); printf("%s\n", s ? s : "-"); free(s);
    free(v);
  }
  return 0;
}
