/* getopt and its kin, over command lines that are made up. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 12345;
static unsigned any(unsigned below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

static int flag;
static const struct option options[] = {
  { "add", required_argument, NULL, 'a' }, { "append", no_argument, NULL, 'p' }, { "verbose", no_argument, &flag, 7 },
      { "version", no_argument, NULL, 'V' }, { "vers", optional_argument, NULL, 'v' },
  { "color", optional_argument, NULL, 'c' }, { "b", required_argument, NULL, 300 }, { "same", no_argument, NULL, 's' },
      { "same-again", no_argument, NULL, 's' }, { NULL, 0, NULL, 0 },
};
static const char *const words[] = {
  "-a", "-b", "-c", "-ab", "-bvalue", "-cvalue", "-abc", "-x", "-", "--", "file", "other", "-W", "-Wadd=1", "-Wvers",
      "--add", "--add=1", "--append", "--app", "--append=2", "--ad", "--a", "--verbose", "--verb", "--vers",
      "--versi=3",
  "--v", "--color", "--color=red", "--none", "--sam", "--same", "-add", "-add=4", "-vers", "-b", "-color", "-colour",
      "-:", "-;", "--=", "-a-", "",
};
static const char *const lists[] = { "ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:c::", "ab:W;", "", "-", ":",
    "abc" };

int main(void) {
#ifdef __GLIBC__
  stderr = stdout;
#endif
  for (int round = 0; round < 400; round++) {
    char *arguments[9] = { "prog" };
    int count = 1 + (int)any(7), kind = (int)any(3), option, steps = 0;
    const char *letters = lists[any(sizeof lists / sizeof *lists)];
    for (int i = 1; i < count; i++) arguments[i] = strdup(words[any(sizeof words / sizeof *words)]);
    optind = 0;
    opterr = any(8) != 0;
    flag = 0;
    printf("%s|", letters);
    for (int i = 1; i < count; i++) printf(" %s", arguments[i]);
    printf("\n");
      do {
      int at = -1;
      option = kind == 0 ? getopt(count, arguments, letters) : kind == 1 ? getopt_long(count, arguments, letters,
          options, &at) : getopt_long_only(count, arguments, letters, options, &at);
      printf("  %d %s %d %d %d %d:", option, optarg ? optarg : "(none)", optind, optopt, at, flag);
      for (int i = 1; i < count; i++) printf(" %s", arguments[i]);
      printf("\n");
        } while (option != -1 && ++steps < 30);
    for (int i = 1; i < count; i++) free(arguments[i]);
  }
  return 0;
}
