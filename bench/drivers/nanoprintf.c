#include <stdio.h>
#define NANOPRINTF_USE_FIELD_WIDTH_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_PRECISION_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_FLOAT_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_LARGE_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_SMALL_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_BINARY_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_WRITEBACK_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_ALT_FORM_FLAG 1
#define NANOPRINTF_IMPLEMENTATION
#include "nanoprintf.h"
static void put(int c, void *count) { ++*(int *)count; putchar(c); }
int main(void) {
  static const char *const ints[] = { "%d", "%5d", "%-5d|", "%+05d", "% d", "%.4d", "%x", "%#X", "%#o", "%u", "%hhd",
      "%hd", "%b", "%#b" };
  static const int values[] = { 0, 1, -1, 42, -12345, 2147483647 };
  static const char *const floats[] = { "%f", "%.2f", "%8.3f|", "%+.0f", "%#.0f", "%-9.1f|", "%09.2f" };
  static const double numbers[] = { 0.0, -0.0, 1.5, 2.5, -123.456, 1e9, 3.14159265358979, 0.000123, 1e-10, 6.02e23,
      1.0 / 0.0 };
  char text[80]; int n = 0, count = 0;
  for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) for (unsigned v = 0; v < 6;
  v++) { npf_snprintf(text, sizeof text, ints[i], values[v]); printf("%s ", text); }
  printf("\n");
  for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) for (unsigned v = 0; v < 11;
  v++) { npf_snprintf(text, sizeof text, floats[i], numbers[v]); printf("%s ", text); }
  npf_pprintf(put, &count, "\n%s|%10s|%-10s|%.3s|%c|%%|%lld|%zu|%llx\n", "text", "right", "left", "precise", 'c',
      -9000000000LL, sizeof text, 0xdeadbeefcafeULL);
  npf_pprintf(put, &count, "%*d|%-*d|%.*f|%n\n", 6, 1, 6, 2, 2, 3.14159, &n);
  printf("%d %d %d %s\n", n, count, npf_snprintf(text, 8, "%s-%d", "truncated", 7), text);
  return 0;
}
