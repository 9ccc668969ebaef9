/* cmark: one document as HTML, XML, man page and CommonMark. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmark.h"

static const char *text =
  "# Title *with* emphasis\n\nA paragraph with `code`, a [link](http://example.com \"t\"), ![image](x.png),\n"
  "<b>html</b>, &copy; &#x263a; and a hard  \nbreak. **strong _both_** ~~no~~\n\n"
  "> quoted\n> - nested\n>   1. deep\n\n* one\n* two\n\n  more\n\n```c\nint main(void) { return a < b; }\n```\n\n"
  "    indented\n\nSetext\n======\n\n***\n\n[ref]: <http://r.example> 'R'\n"
  "See [ref] and [none]. \\*escaped\\* \"quotes\" -- dash... http://auto.example <http://auto.example>\n\n<div>\n"
  "*raw*\n</div>\n";

int main(void) {
  for (int options = 0; options < 2; options++) {
    cmark_node *document = cmark_parse_document(text, strlen(text), options ? CMARK_OPT_SMART | CMARK_OPT_SOURCEPOS |
        CMARK_OPT_UNSAFE : CMARK_OPT_DEFAULT);
    int flags = options ? CMARK_OPT_SMART | CMARK_OPT_SOURCEPOS | CMARK_OPT_UNSAFE : CMARK_OPT_DEFAULT;
    char *outputs[] = { cmark_render_html(document, flags), cmark_render_xml(document, flags),
        cmark_render_man(document, flags, 60), cmark_render_commonmark(document, flags, 40),
        cmark_render_latex(document, flags, 0) };
    for (int i = 0; i < 5; i++) { printf("%s\n", outputs[i]); free(outputs[i]); }
    cmark_node_free(document);
  }
  return 0;
}
