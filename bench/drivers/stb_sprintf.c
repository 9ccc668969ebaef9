#define STB_SPRINTF_IMPLEMENTATION
#include <stdio.h>
#include "stb_sprintf.h"
int main(void) {
  char t[300];
  for (int i = 0; i < 8; i++) { double x = (i - 3) * 98765.4321 / (i + 1);
    stbsp_sprintf(t, "%d|%8d|%-8d|%08x|%f|%.3f|%12.5e|%g|%s|%c|%'d|%$d", i * 1001, i, i, i * 99, x, x, x, x, "text",
      'a' + i, i * 1234567, i * 100000); puts(t); }
  printf("%d %s\n", stbsp_snprintf(t, 10, "%s", "a long text"), t);
  return 0;
}
