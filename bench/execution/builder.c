/* A string builder on the heap that grows: appending characters, words and numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct builder { char *text; size_t length, capacity; };
static void reserve(struct builder *b, size_t more) {
  if (b->length + more < b->capacity) return;
  size_t capacity = b->capacity ? 2 * b->capacity : 16;
  while (b->length + more >= capacity) capacity *= 2;
  char *text = realloc(b->text, capacity);
  if (!text) abort();
  b->text = text;
  b->capacity = capacity;
}
static void appendChar(struct builder *b, char c) {
  reserve(b, 1);
  b->text[b->length++] = c;
  b->text[b->length] = '\0';
}
static void append(struct builder *b, const char *text) {
  size_t length = strlen(text);
  reserve(b, length);
  memcpy(b->text + b->length, text, length + 1);
  b->length += length;
}
static void appendNumber(struct builder *b, unsigned n) {
  char digits[12];
  int at = (int)sizeof digits - 1;
  digits[at] = '\0';
  do digits[--at] = (char)('0' + n % 10u);
  while ((n /= 10u) != 0);
  append(b, digits + at);
}
int main(void) {
  unsigned long sum = 0;
  for (int round = 0; round < SIZE; round++) {
    struct builder b = { NULL, 0, 0 };
    for (unsigned i = 0; i < 12; i++) {
      append(&b, i & 1 ? "item " : "entry number ");
      appendNumber(&b, i * 7919u + (unsigned)round);
      appendChar(&b, '\n');
    }
    for (const char *p = b.text; *p; p++) sum += (unsigned char)*p;
    sum += b.length;
    free(b.text);
  }
  printf("%lu\n", sum);
  return 0;
}
