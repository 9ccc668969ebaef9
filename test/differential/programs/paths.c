/* dirname, both functions called basename, and fnmatch. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
static char *gnu(const char *path) { return basename(path); }
#include <libgen.h>

static unsigned state = 4711;
static unsigned any(unsigned below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

static void text(char *target, unsigned most, const char *const *parts, unsigned count) {
  *target = 0;
  for (unsigned n = any(most + 1); n > 0; n--) strcat(target, parts[any(count)]);
}

int main(void) {
  static const char *const pieces[] = { "/", "/", "a", "bc", ".", ".." };
  static const char *const patterns[] = { "*", "?", "a", "b", "B", ".", "/", "[ab]", "[!a]", "[^b]", "[a-c]",
      "[[:alpha:]]", "[[:digit:].]", "[]a]", "[a", "\\*", "\\a", "[\\]]", "[[.a.]]", "[[=b=]]", "[[=B=]]", "[[.B.]-a]",
      "[[.B.]]", "[b-]", "[A-Z]", "**" };
  static const char *const texts[] = { "a", "b", "B", "c", ".", "/", "]", "*", "1", "[", "-" };
  static const int flags[] = { FNM_PATHNAME, FNM_NOESCAPE, FNM_PERIOD, FNM_LEADING_DIR, FNM_CASEFOLD };
  char path[64], copy[64], pattern[128];
  printf("%s %s %d %d\n", dirname(NULL), basename(NULL), FNM_NOMATCH, FNM_FILE_NAME == FNM_PATHNAME);
  for (int i = 0; i < 600; i++) {
    text(path, 6, pieces, sizeof pieces / sizeof *pieces);
    printf("%s: %s", path, gnu(path));
    printf(" %s", basename(strcpy(copy, path)));
    printf(" %s\n", dirname(strcpy(copy, path)));
  }
  for (int i = 0; i < 6000; i++) {
    int how = 0;
    for (unsigned j = 0; j < 5; j++) if (any(3) == 0) how |= flags[j];
    text(pattern, 5, patterns, sizeof patterns / sizeof *patterns);
    text(path, 6, texts, sizeof texts / sizeof *texts);
    printf("%s %s %d: %d\n", pattern, path, how, fnmatch(pattern, path, how));
  }
  return 0;
}
