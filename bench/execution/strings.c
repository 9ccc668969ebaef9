/* Strings: copying, reversing, counting words and letters, comparing. */
#include <stdio.h>
#include <string.h>
static const char text[] =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness";
static void reverse(char *s) {
  char *end = s + strlen(s);
  while (s < end) {
    char c = *s;
    *s++ = *--end;
    *end = c;
  }
}
static int words(const char *s) {
  int count = 0, inside = 0;
  for (; *s; s++) {
    int letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
    if (letter && !inside) count++;
    inside = letter;
  }
  return count;
}
int main(void) {
  char buffer[200];
  int letters[256] = {0}, total = 0;
  for (int round = 0; round < SIZE; round++) {
    strcpy(buffer, text);
    reverse(buffer);
    total += words(buffer);
    for (const char *p = buffer; *p; p++) letters[(unsigned char)*p]++;
    reverse(buffer);
    total += strcmp(buffer, text) == 0;
  }
  printf("%d %d %d\n", total, letters['t'], letters[' ']);
  return 0;
}
