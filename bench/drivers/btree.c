#include <stdio.h>
#include "btree.h"
struct pair { int key; int value; };
static int compare(const void *a, const void *b, void *udata) { (void)udata;
  return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }
static bool show(const void *item, void *udata) { int *left = udata; const struct pair *p = item;
  printf("%d:%d ", p->key, p->value); return --*left > 0; }
int main(void) {
  struct btree *tree = btree_new(sizeof(struct pair), 8, compare, NULL), *copy; int left = 20; unsigned seed = 3;
  for (int i = 0; i < 1500; i++) { seed = seed * 1103515245u + 12345u; struct pair p = { (int)(seed >> 16 & 2047), i };
    btree_set(tree, &p); }
  copy = btree_clone(tree);
  for (int i = 0; i < 2048; i += 3) { struct pair p = { i, 0 }; btree_delete(tree, &p); }
  btree_ascend(tree, &(struct pair){ 500, 0 }, show, &left); left = 10; btree_descend(copy, NULL, show, &left);
  printf("\n%zu %zu %zu\n", btree_count(tree), btree_count(copy), btree_height(tree));
  for (int i = 0; i < 5; i++) { const struct pair *p = btree_pop_min(tree); printf("%d ", p->key);
    p = btree_pop_max(tree); printf("%d ", p->key); }
  btree_free(tree); btree_free(copy);
  return 0;
}
