#include <stdio.h>
#include <string.h>
#include "md4c-html.h"
static void put(const MD_CHAR *text, MD_SIZE size, void *count) { *(unsigned *)count += size;
  fwrite(text, 1, size, stdout); }
static const char *const texts[] = {
  "# Title\n\nA *b* **c** ***d*** `e` ~~f~~ <b>g</b> &amp; &copy; &#65; \\* \n\nSecond  \nline\n",
      "* a\n* b\n\n  c\n    1. d\n    2. e\n\n> quote\n> > more\n",
      "| a | b |\n|:--|--:|\n| 1 | *2* |\n| 3 \\| | `4` |\n", "```c\nint x < 3;\n```\n\n    indented\n\n~~~\nopen\n",
  "[a](http://x.y \"t\") ![i](p.png) [r][1] <http://auto.link> www.perm.link me@mail.org\n\n[1]: /url 'title'\n",
      "Setext\n===\n\nTwo\n---\n\n***\n", "- [ ] open\n- [x] done\n", "$x^2$ and $$y$$ and [[wiki|link]] __under__\n",
      "<div>\n*raw*\n</div>\n\n<!-- c -->\n", "a\tb\n\n\t- c\n", "**a*b**c*", "[unclosed](", "![][][",
      "\xc3\xa9\xe2\x82\xac `` ` `` \n", "1) x\n2) y\n10. z\n", "",
};
int main(void) {
  static const unsigned flags[] = { 0, MD_DIALECT_GITHUB, MD_DIALECT_COMMONMARK | MD_FLAG_NOHTML, MD_DIALECT_GITHUB |
      MD_FLAG_WIKILINKS | MD_FLAG_LATEXMATHSPANS | MD_FLAG_UNDERLINE | MD_FLAG_HARD_SOFT_BREAKS };
  for (unsigned f = 0; f < 4; f++) for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    unsigned count = 0;
    int end = md_html(texts[i], (MD_SIZE)strlen(texts[i]), put, &count, flags[f], f == 2 ? MD_HTML_FLAG_XHTML : 0);
    printf("(%u %u: %d, %u)\n", f, i, end, count);
  }
  return 0;
}
