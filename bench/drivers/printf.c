#include <stdio.h>
#include "printf.h"
#undef printf
#undef snprintf
void _putchar(char c) { putchar(c); }
int main(void) {
  char text[200];
  for (int i = -3; i < 4; i++) { snprintf_(text, sizeof text, "%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%u|%c|%s|%8.3s|",
      i * 1000, i, i, i, i, i, i, i, i, i, 'a' + i, "hello", "world"); puts(text); }
  for (int i = 0; i < 6; i++) { double x = i * 1234.56789 / 7 - 300;
    snprintf_(text, sizeof text, "%f|%.2f|%10.4f|%-10.1f|%e|%g|%G|%+.0f|", x, x, x, x, x, x, x / 1e6, x); puts(text); }
  snprintf_(text, sizeof text, "%lld %llu %hhd %hd %zu %p %%", -1234567890123ll, 18446744073709551615ull, 300, 70000,
      sizeof text, (void *)0); puts(text);
  return 0;
}
