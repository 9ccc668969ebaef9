/* cwalk: paths of both styles joined, normalised, taken apart and compared. */
#include <stdio.h>
#include <string.h>
#include "cwalk.h"

int main(void) {
  static const char *paths[] = { "/a/./b/../c.tar.gz", "..//x/", "C:\\dir\\..\\file.txt", "", "/", "a/b",
      "\\\\server\\share\\x", "./.hidden" };
  char out[256];
  for (int style = 0; style < 2; style++) {
    cwk_path_set_style(style ? CWK_STYLE_WINDOWS : CWK_STYLE_UNIX);
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
      const char *base;
      size_t length, n = cwk_path_normalize(paths[i], out, sizeof out);
      printf("%zu %s", n, out);
      cwk_path_get_basename(paths[i], &base, &length);
      printf(" base %.*s", base ? (int)length : 0, base ? base : "");
      cwk_path_get_dirname(paths[i], &length);
      printf(" dir %zu abs %d", length, cwk_path_is_absolute(paths[i]));
      if (cwk_path_get_extension(paths[i], &base, &length)) printf(" ext %.*s", (int)length, base);
      cwk_path_change_extension(paths[i], "md", out, sizeof out);
      printf(" %s\n", out);
      for (unsigned j = 0; j < sizeof paths / sizeof *paths; j += 3) {
        cwk_path_get_relative(paths[j], paths[i], out, sizeof out);
        printf("  %s", out);
        cwk_path_join(paths[i], paths[j], out, 10);
        printf(" %s %zu\n", out, cwk_path_get_intersection(paths[i], paths[j]));
      }
      struct cwk_segment segment;
      if (cwk_path_get_first_segment(paths[i], &segment)) do printf("<%.*s:%d>", (int)segment.size, segment.begin,
          cwk_path_get_segment_type(&segment)); while (cwk_path_get_next_segment(&segment));
      printf(" %d\n", cwk_path_guess_style(paths[i]));
    }
  }
  return 0;
}
