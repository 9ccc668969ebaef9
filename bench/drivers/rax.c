#include <stdio.h>
#include <string.h>
#include "rax.h"
int main(void) {
  rax *tree = raxNew(); raxIterator it; char key[40]; int found = 0, shown = 0;
  for (int i = 0; i < 800; i++) { int n = sprintf(key, "%s%x", i % 3 ? "user:" : "item/", i * 2654435u % 5000);
    raxInsert(tree, (unsigned char *)key, (size_t)n, (void *)(long)(i + 1), NULL); }
  for (int i = 0; i < 800; i += 4) { int n = sprintf(key, "%s%x", i % 3 ? "user:" : "item/", i * 2654435u % 5000);
    raxRemove(tree, (unsigned char *)key, (size_t)n, NULL); }
  for (int i = 0; i < 800; i++) { int n = sprintf(key, "%s%x", i % 3 ? "user:" : "item/", i * 2654435u % 5000);
    if (raxFind(tree, (unsigned char *)key, (size_t)n) != raxNotFound) found++; }
  raxStart(&it, tree); raxSeek(&it, ">=", (unsigned char *)"user:a", 6);
  while (raxNext(&it) && shown++ < 20) printf("%.*s=%ld ", (int)it.key_len, (char *)it.key, (long)it.data);
  raxStop(&it);
  printf("\n%d %llu\n", found, (unsigned long long)raxSize(tree));
  raxFree(tree);
  return 0;
}
