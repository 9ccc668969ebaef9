/* yyjson: read with and without extensions, changed, patched, written; numbers at the edges; errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "yyjson.h"

static const char *texts[] = {
  "{\"a\":[1,-2,3.5,1e400,18446744073709551615,9007199254740993],"
  "\"b\":{\"c\":\"\\u00e9\\ud83d\\ude00\\n\",\"d\":null},\"e\":true}",
  "[0.1,1e-7,5e-324,2.2250738585072011e-308,1.7976931348623157e308,123456789012345678901234567890]", "[1,2,]",
      "{\"a\":1 \"b\":2}", "[\"\\ud800\"]", "/* c */ [1, NaN, Infinity, 'x']", "[01]", "", "[[[[[]]]]]", "\"\x80\"",
};

int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) for (int lax = 0; lax < 2; lax++) {
    yyjson_read_err error;
    yyjson_doc *doc = yyjson_read_opts((char *)texts[i], strlen(texts[i]), lax ? YYJSON_READ_ALLOW_COMMENTS |
        YYJSON_READ_ALLOW_INF_AND_NAN | YYJSON_READ_ALLOW_TRAILING_COMMAS : 0, NULL, &error);
    if (!doc) { printf("%u: %s at %zu\n", error.code, error.msg, error.pos); continue; }
    size_t length;
    char *out = yyjson_write(doc, lax ? YYJSON_WRITE_PRETTY | YYJSON_WRITE_ALLOW_INF_AND_NAN
        : YYJSON_WRITE_ESCAPE_UNICODE, &length);
    printf("%zu %s\n", out ? length : 0, out ? out : "not written");
    free(out);
    yyjson_doc_free(doc);
  }
  yyjson_mut_doc *made = yyjson_mut_doc_new(NULL);
  yyjson_mut_val *root = yyjson_mut_obj(made);
  yyjson_mut_doc_set_root(made, root);
  yyjson_mut_val *list = yyjson_mut_arr(made);
  yyjson_mut_obj_add_val(made, root, "list", list);
  for (int i = 0; i < 12; i++) yyjson_mut_arr_add_real(made, list, i / 7.0);
  yyjson_mut_obj_add_str(made, root, "text", "a\tb\"c\"");
  yyjson_doc *patch = yyjson_read("[{\"op\":\"add\",\"path\":\"/list/0\",\"value\":\"first\"},"
      "{\"op\":\"remove\",\"path\":\"/text\"},{\"op\":\"move\",\"from\":\"/list/1\",\"path\":\"/moved\"}]", 122, 0);
  if (patch) {
    yyjson_patch_err error;
    yyjson_mut_doc *copy = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *changed = yyjson_mut_patch(copy, root, yyjson_val_mut_copy(copy, yyjson_doc_get_root(patch)),
        &error);
    char *out = yyjson_mut_val_write(changed, 0, NULL);
    printf("%s\n", out ? out : error.msg);
    free(out);
    yyjson_mut_doc_free(copy);
    yyjson_doc_free(patch);
  }
  char *out = yyjson_mut_write(made, 0, NULL);
  printf("%s\n", out);
  free(out);
  yyjson_mut_doc_free(made);
  return 0;
}
