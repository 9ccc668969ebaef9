#include <stdio.h>
#include <string.h>
#include "lwjson/lwjson.h"
static const char *const texts[] = { "{\"a\":{\"b\":[1,-2.5e3,{\"c\":\"d\\n\\u00e9\"}]},\"t\":true,\"n\":null}",
    "[1, [2, [3]], \"x\"]", "{\"a\":1,}", "{\"x\":\"open}", "{\"deep\":[[[[[[[[1]]]]]]]]}", "{}", "[",
    "{\"k\":0.001,\"m\":12345678901}", "" };
static void events(lwjson_stream_parser_t *p, lwjson_stream_type_t type) {
  printf(" %d@%u", (int)type, (unsigned)p->stack_pos);
  if (type == LWJSON_STREAM_TYPE_STRING || type == LWJSON_STREAM_TYPE_KEY) printf("<%s>", p->data.str.buff); }
static void show(const lwjson_token_t *t, int depth) {
  for (; t; t = t->next) {
    printf(" %d:%.*s", (int)t->type, (int)t->token_name_len, t->token_name ? t->token_name : "");
    if (t->type == LWJSON_TYPE_NUM_INT) printf("=%lld", (long long)t->u.num_int);
    else if (t->type == LWJSON_TYPE_NUM_REAL) printf("=%.4f", (double)t->u.num_real);
    else if (t->type == LWJSON_TYPE_STRING) printf("=%.*s", (int)t->u.str.token_value_len, t->u.str.token_value);
    else if (t->type == LWJSON_TYPE_OBJECT || t->type == LWJSON_TYPE_ARRAY) { printf("(");
      show(t->u.first_child, depth + 1); printf(" )"); }
    if (depth == 0) break;
  }
}
int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    lwjson_token_t tokens[16]; lwjson_t json; static lwjson_stream_parser_t stream; lwjsonr_t r;
    lwjson_init(&json, tokens, 16);
    r = lwjson_parse(&json, texts[i]); printf("%u: %d", i, (int)r);
    if (r == lwjsonOK) { const lwjson_token_t *c = lwjson_find(&json, "a.b.#2.c");
      show(lwjson_get_first_token(&json), 0);
      if (c) printf(" found %.*s", (int)c->u.str.token_value_len, c->u.str.token_value); lwjson_free(&json); }
    printf("\n  ");
    lwjson_stream_init(&stream, events);
    for (const char *s = texts[i]; *s; s++) { r = lwjson_stream_parse(&stream, *s);
      if (r != lwjsonSTREAMINPROG && r != lwjsonSTREAMWAITFIRSTCHAR) { printf(" =%d", (int)r); break; } }
    printf("\n");
  }
  return 0;
}
