/* libyaml: streams read as events and written again, documents loaded into trees, errors. */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

static const char *texts[] = {
  "a: 1\nb: [x, 'y''z', \"q\\t\\u263a\"]\nc:\n  - &id {k: v}\n  - *id\n  - !!str 12\n",
  "%YAML 1.1\n---\n- |\n  kept\n   lines\n- >-\n  folded\n  text\n\n  more\n...\n--- !tag\n? complex\n: value\n",
  "a: b: c\n", "[1, 2", "- \"\\xZZ\"\n", "a: *missing\n", "\xff\xfe" "a\0:\0 \0" "1\0", "key: \xc3\x28\n",
};

int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    yaml_event_t event;
    int done = 0;
    size_t length = i == 6 ? 8 : strlen(texts[i]);
    printf("--- text %u\n", i);
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)texts[i], length);
    yaml_emitter_initialize(&emitter);
    yaml_emitter_set_output_file(&emitter, stdout);
    yaml_emitter_set_canonical(&emitter, i == 0);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_encoding(&emitter, YAML_UTF8_ENCODING);
    while (!done) {
      if (!yaml_parser_parse(&parser, &event)) {
        if (emitter.encoding) yaml_emitter_flush(&emitter);
        printf("error %d: %s, %s at %zu:%zu\n", parser.error, parser.problem ? parser.problem : "", parser.context
            ? parser.context : "", parser.problem_mark.line, parser.problem_mark.column);
        break;
      }
      done = event.type == YAML_STREAM_END_EVENT;
      if (!yaml_emitter_emit(&emitter, &event)) { printf("emitter: %s\n", emitter.problem); break; }
    }
    yaml_parser_delete(&parser);
    yaml_emitter_delete(&emitter);
    yaml_document_t document;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)texts[i], length);
    while (yaml_parser_load(&parser, &document)) {
      yaml_node_t *root = yaml_document_get_root_node(&document);
      if (!root) { yaml_document_delete(&document); break; }
      for (int n = 1; yaml_document_get_node(&document, n); n++) {
        yaml_node_t *node = yaml_document_get_node(&document, n);
        printf("%d:%s", node->type, node->tag);
        if (node->type == YAML_SCALAR_NODE) printf("=%.*s", (int)node->data.scalar.length, node->data.scalar.value);
        printf(" ");
      }
      printf("\n");
      yaml_document_delete(&document);
    }
    if (parser.error) printf("loader: %s\n", parser.problem);
    yaml_parser_delete(&parser);
  }
  return 0;
}
