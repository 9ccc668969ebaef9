/* linenoise without a terminal: lines from standard input (none here), the history and its file. */
#include <stdio.h>
#include <stdlib.h>
#include "linenoise.h"

int main(void) {
  linenoiseHistorySetMaxLen(3);
  static const char *lines[] = { "one", "two", "two", "three", "four" };
  for (int i = 0; i < 5; i++) printf("%d ", linenoiseHistoryAdd(lines[i]));
  char *line = linenoise("> ");
  printf("%s\n", line ? line : "(none)");
  linenoiseFree(line);
  linenoiseSetMultiLine(1);
  printf("%d\n", linenoiseHistoryLoad("/nonexistent/history"));
  return 0;
}
