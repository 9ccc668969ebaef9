/* A hash map with chains on the heap: insertion, counting, removal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char key[12]; int count; struct entry *next; };
static struct entry *buckets[256];
static unsigned hash(const char *key) {
  unsigned h = 5381;
  while (*key) h = h * 33u ^ (unsigned char)*key++;
  return h & 255u;
}
static void add(const char *key) {
  struct entry **slot = &buckets[hash(key)];
  for (struct entry *e = *slot; e; e = e->next)
    if (strcmp(e->key, key) == 0) {
      e->count++;
      return;
    }
  struct entry *fresh = malloc(sizeof *fresh);
  if (!fresh) abort();
  strcpy(fresh->key, key);
  fresh->count = 1;
  fresh->next = *slot;
  *slot = fresh;
}
static int drop(const char *key) {
  for (struct entry **slot = &buckets[hash(key)]; *slot; slot = &(*slot)->next)
    if (strcmp((*slot)->key, key) == 0) {
      struct entry *gone = *slot;
      int count = gone->count;
      *slot = gone->next;
      free(gone);
      return count;
    }
  return 0;
}
static void name(unsigned number, char *key) {
  int length = 0;
  do key[length++] = (char)('a' + number % 26u);
  while ((number /= 26u) != 0);
  key[length] = '\0';
}
int main(void) {
  unsigned random = 1, sum = 0;
  for (int i = 0; i < SIZE; i++) {
    char key[12];
    random = random * 1664525u + 1013904223u;
    name((random >> 8) % 2000u, key);
    if (random >> 31) add(key);
    else sum += (unsigned)drop(key);
  }
  printf("%u\n", sum);
  return 0;
}
