/* Functions with variable arguments, ours and the library's. */
#include <stdio.h>
#include <stdarg.h>
#include <string.h>

struct pair { int a; long b; };

static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count-- > 0) total += va_arg(list, int);
  va_end(list);
  return total;
}

static double by_letter(const char *kinds, ...) {
  va_list list;
  double total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
      case 'i': total += va_arg(list, int); break;
      case 'u': total += va_arg(list, unsigned); break;
      case 'l': total += (double) va_arg(list, long); break;
      case 'L': total += (double) va_arg(list, long long); break;
      case 'd': total += va_arg(list, double); break;
      case 's': total += (double) strlen(va_arg(list, const char *)); break;
      case 'p': total += *va_arg(list, int *); break;
      case 'f': total += va_arg(list, int (*)(int, ...))(2, 40, 2); break;
    }
  va_end(list);
  return total;
}

static int twice(int count, ...) {
  va_list list, again;
  int total = 0;
  va_start(list, count);
  va_copy(again, list);
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  for (int i = 0; i < count; i++) total = total * 10 + va_arg(again, int);
  va_end(list); va_end(again);
  return total;
}

static int next(va_list *list) { return va_arg(*list, int); }
static int through(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count-- > 0) total = total * 2 + next(&list);
  va_end(list);
  return total;
}

static int print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vprintf(format, list);
  va_end(list);
  return n;
}

static int into(char *target, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(target, size, format, list);
  va_end(list);
  return n;
}

int main(void) {
  char c = 'c'; short s = -5; unsigned char uc = 200; float f = 1.25f; int n = 9;
  printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(5, c, s, uc, n, 1000));
  printf("%g\n", by_letter("iulLdspf", -1, 4000000000u, 1500000000L, -6000000000LL, 0.5, "four", &n, sum));
  printf("%g %g\n", by_letter("dd", f, 2.0f), by_letter("ii", c, s));
  printf("%d %d\n", twice(3, 1, 2, 3), through(4, 1, 0, 1, 1));
  int written = print("%d %s %c %5.2f %lld %x\n", n, "text", c, 3.14159, 123456789012LL, 255);
  printf("%d\n", written);
  char buffer[10]; int wanted = into(buffer, sizeof buffer, "%s-%d", "abcdef", 12345);
  printf("%s %d %zu\n", buffer, wanted, strlen(buffer));
  char line[64]; int length = sprintf(line, "[%-6s|%06d|%+d|%#x|%%]", "ab", 42, 7, 255);
  printf("%s %d\n", line, length);
  printf("%s %.3s %c%c %5s|%-5s|\n", "plain", "truncated", 'o', 'k', "ab", "cd");
  printf("%hhd %hd %d %ld %lld %zu %u\n", (char) -3, (short) -300, -30000, -2000000000L, -3000000000000LL,
      sizeof(struct pair), 3000000000u);
  printf("%*d|%-*d|%.*f\n", 6, 42, 6, 42, 2, 2.71828);
  puts("done"); putchar('!'); putchar('\n');
  return 0;
}
