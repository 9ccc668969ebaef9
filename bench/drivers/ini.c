/* rxi/ini: sections, quotes, escapes, comments, names that are not there. */
#include <stdio.h>
#include "ini.h"

int main(void) {
  FILE *file = fopen("provest-test.ini", "wb");
  if (!file) return 1;
  fputs("name = top\n; comment\n[server]\nport = 8080\r\nhost= \"local \\\"host\\\"\\n\"  \npath =/a b/c ; not\n"
      "\n[  other section]\nratio=0.25\nempty=\n[broken\nx=1\n", file);
  fclose(file);
  ini_t *config = ini_load("provest-test.ini");
  int port = -1, none = 7;
  double ratio = 0;
  printf("%d %d ", ini_sget(config, "server", "port", "%d", &port), ini_sget(config, "server", "missing", "%d", &none));
  printf("%d ", ini_sget(config, "other section", "ratio", "%lf", &ratio));
  printf("%d %d %g\n", port, none, ratio);
  const char *names[][2] = { { NULL, "name" }, { "server", "host" }, { "SERVER", "path" }, { "  other section",
        "empty" }, { "broken", "x" } };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = ini_get(config, names[i][0], names[i][1]);
    printf("[%s]\n", text ? text : "(none)");
  }
  ini_free(config);
  printf("%d\n", ini_load("provest-missing.ini") == NULL);
  return remove("provest-test.ini");
}
