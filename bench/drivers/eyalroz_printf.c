#include <stdio.h>
#include "printf/printf.h"
void putchar_(char c) { putchar(c); }
int main(void) {
  static const char *const ints[] = { "%d", "%5d", "%-5d|", "%+05d", "% d", "%.4d", "%x", "%#X", "%#o", "%u", "%hhd",
      "%hd", "%b" };
  static const int values[] = { 0, 1, -1, 42, -12345, 2147483647 };
  static const char *const floats[] = { "%f", "%.2f", "%8.3f|", "%e", "%.3E", "%g", "%-12g|", "%+.0f", "%#.0f" };
  static const double numbers[] = { 0.0, -0.0, 1.5, 2.5, -123.456, 1e9, 3.14159265358979, 0.000123, 1e-10, 6.02e23 };
  char text[40]; int n = 0;
  for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) for (unsigned v = 0; v < 6;
  v++) { printf_(ints[i], values[v]); printf_(" "); }
  printf_("\n");
  for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) for (unsigned v = 0; v < 10;
  v++) { printf_(floats[i], numbers[v]); printf_(" "); }
  printf_("\n%s|%10s|%-10s|%.3s|%c|%%|%lld|%zu|%llx\n", "text", "right", "left", "precise", 'c', -9000000000LL,
      sizeof text, 0xdeadbeefcafeULL);
  printf_("%*d|%-*d|%.*f|%n", 6, 1, 6, 2, 2, 3.14159, &n); printf_("%d\n", n);
  n = snprintf_(text, 8, "%s-%d", "truncated", 7); printf_("%d %s %d\n", n, text, snprintf_(NULL, 0, "%f", 1.0));
  return 0;
}
