#include <stdio.h>
#include <string.h>
#include "hashmap.h"
struct user { const char *name; int age; char text[12]; };
static int compare(const void *a, const void *b, void *udata) { (void)udata;
  return strcmp(((const struct user *)a)->name, ((const struct user *)b)->name); }
static uint64_t sip(const void *item, uint64_t s0, uint64_t s1) { const struct user *u = item;
  return hashmap_sip(u->name, strlen(u->name), s0, s1); }
static uint64_t murmur(const void *item, uint64_t s0, uint64_t s1) { const struct user *u = item;
  return hashmap_murmur(u->name, strlen(u->name), s0, s1); }
static uint64_t xx(const void *item, uint64_t s0, uint64_t s1) { const struct user *u = item;
  return hashmap_xxhash3(u->name, strlen(u->name), s0, s1); }
static bool add(const void *item, void *udata) { *(long *)udata += ((const struct user *)item)->age; return true; }
static char names[1000][12];
int main(void) {
  uint64_t (*hashes[])(const void *, uint64_t, uint64_t) = { sip, murmur, xx };
  for (int h = 0; h < 3; h++) {
    struct hashmap *map = hashmap_new(sizeof(struct user), 0, 1, 2, hashes[h], compare, NULL, NULL);
    long sum = 0; size_t at = 0; void *item;
    for (int i = 0; i < 1000; i++) { struct user u = { names[i], i, "x" }; sprintf(names[i], "user%d", i * 7 % 1000);
      hashmap_set(map, &u); }
    for (int i = 0; i < 1000; i += 3) { struct user u = { names[i], 0, "" }; hashmap_delete(map, &u); }
    for (int i = 0; i < 8; i++) { const struct user *u = hashmap_get(map, &(struct user){ .name = names[i] });
      printf("%s ", u ? u->name : "-"); }
    hashmap_scan(map, add, &sum);
    for (int i = 0; i < 5 && hashmap_iter(map, &at, &item); i++) printf("%s@%zu ", ((struct user *)item)->name, at);
    printf("%zu %ld %d\n", hashmap_count(map), sum, hashmap_oom(map));
    hashmap_free(map);
  }
  return 0;
}
