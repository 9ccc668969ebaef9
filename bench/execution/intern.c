/* A table of strings that are kept once: hashed, compared, copied with malloc, chained. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BUCKETS 64
struct symbol { struct symbol *next; unsigned hash; unsigned uses; char name[]; };
static struct symbol *table[BUCKETS];
static unsigned hashOf(const char *name, size_t length) {
  unsigned hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return hash;
}
static struct symbol *intern(const char *name, size_t length) {
  unsigned hash = hashOf(name, length);
  struct symbol **slot = &table[hash % BUCKETS];
  for (struct symbol *s = *slot; s; s = s->next)
    if (s->hash == hash && strncmp(s->name, name, length) == 0 && s->name[length] == '\0') {
      s->uses++;
      return s;
    }
  struct symbol *s = malloc(sizeof *s + length + 1);
  if (!s) return NULL;
  memcpy(s->name, name, length);
  s->name[length] = '\0';
  s->hash = hash;
  s->uses = 1;
  s->next = *slot;
  *slot = s;
  return s;
}
static unsigned long clear(void) {
  unsigned long uses = 0;
  for (int i = 0; i < BUCKETS; i++)
    while (table[i]) {
      struct symbol *s = table[i];
      table[i] = s->next;
      uses += s->uses * (unsigned)strlen(s->name);
      free(s);
    }
  return uses;
}
static const char text[] = "the quick brown fox jumps over the lazy dog and the other dog jumps over the quick fox again";
int main(void) {
  unsigned long sum = 0;
  for (int round = 0; round < SIZE; round++) {
    const char *at = text;
    while (*at) {
      const char *end = at;
      while (*end && *end != ' ') end++;
      struct symbol *s = intern(at, (size_t)(end - at));
      if (!s) return 1;
      sum = sum * 31 + s->hash;
      at = *end ? end + 1 : end;
    }
    if (round % 4 == 3) sum += clear();
  }
  printf("%lu\n", sum + clear());
  return 0;
}
