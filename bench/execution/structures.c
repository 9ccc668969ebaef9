/* A table of structures: passed and returned by value, compared, swapped. */
#include <stdio.h>
struct point { int x, y; };
struct item { struct point at; unsigned weight; double score; };
static struct item table[64];
static struct point moved(struct point p, struct point by) {
  struct point result = { p.x + by.x, p.y + by.y };
  return result;
}
static struct item scaled(struct item item, unsigned factor) {
  item.weight = (item.weight * factor + 7u) % 997u;
  item.score = item.score / 2 + item.weight;
  return item;
}
static int before(struct item a, struct item b) {
  return a.weight != b.weight ? a.weight < b.weight : a.at.x < b.at.x;
}
static void swap(struct item *a, struct item *b) {
  struct item third = *a;
  *a = *b;
  *b = third;
}
int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 64; i++) {
    struct item item = { { i, -i }, (unsigned)(i * 37) % 101u, 0.5 * i };
    table[i] = item;
  }
  for (int round = 0; round < SIZE; round++) {
    for (int i = 0; i < 64; i++) {
      struct point by = { i & 3, 1 };
      table[i] = scaled(table[i], 3u + (unsigned)(round & 7));
      table[i].at = moved(table[i].at, by);
      if (table[i].at.x > 1000) table[i].at.x -= 1000;
      if (table[i].at.y > 1000) table[i].at.y = 0;
    }
    for (int i = 1; i < 64; i++)
      if (before(table[i], table[i - 1])) swap(&table[i], &table[i - 1]);
    sum += table[round & 63].weight;
  }
  printf("%lu %.3f\n", sum, table[5].score);
  return 0;
}
