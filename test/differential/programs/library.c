/* The library's strings, characters and numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <limits.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char buffer[64] = "start", other[16];
  printf("%zu ", strlen(buffer)); printf("%s %s\n", strcat(buffer, "-end"), strcpy(other, "copy"));
  printf("%s|", strncpy(other, "ab", 5)); printf("%d%d|%s\n", other[2], other[4], strncat(buffer, "12345", 3));
  printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("same", "same"),
      sign(strcmp("pre", "prefix")));
  printf("%d %d %d\n", sign(strncmp("abcd", "abxx", 2)), sign(strncmp("abcd", "abxx", 3)), sign(strcmp("\xff", "a")));
  printf("%s %s %d %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strchr("hello", 'z') == NULL,
      strstr("find the needle here", "needle"));
  printf("%zu %zu %s\n", strspn("aabbcc", "ab"), strcspn("hello, world", ", "), strpbrk("key=value", "=:"));
  printf("%d %d %d\n", sign(memcmp("abc", "abd", 3)), memcmp("abc", "abd", 2), memchr("abc", 'b', 3) != NULL);
  memmove(buffer + 2, buffer, 5); printf("%.7s\n", buffer); memset(buffer, '*', 3); printf("%.5s\n", buffer);
  char list[] = "one,two;;three"; for (char *t = strtok(list, ",;"); t; t = strtok(NULL, ",;")) printf("<%s>", t);
  printf("\n");
  for (const char *p = "aZ5 _\t~"; *p; p++) printf("%d%d%d%d%d%d%d ", !!isalpha(*p), !!isdigit(*p), !!isalnum(*p),
      !!isspace(*p), !!isupper(*p), !!ispunct(*p), !!isxdigit(*p));
  printf("%c%c%c\n", toupper('q'), tolower('Q'), toupper('1'));
  printf("%d %d %ld %lld %d\n", atoi("42"), atoi("  -17abc"), atol("-1234567890"), atoll("123456789012"), atoi("none"));
  char *end; long n = strtol("0x1fz", &end, 0); printf("%ld %s ", n, end); n = strtol("777", NULL, 8);
  printf("%ld %lu ", n, strtoul("4294967295", NULL, 10)); n = strtol("zz", &end, 36); printf("%ld %d\n", n, *end);
  printf("%d %d %ld\n", strtol("99999999999999999999", NULL, 10) == LONG_MAX, abs(-5), labs(-2000000000L));
  char *copy = strdup("duplicate"); if (!copy) return 1; copy[0] = 'D'; printf("%s\n", copy); free(copy);
  return 0;
}
