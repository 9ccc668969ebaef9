/* A binary search tree in structures on the heap: insertion, search, and its height. */
#include <stdio.h>
#include <stdlib.h>
struct tree { unsigned key; int count; struct tree *left, *right; };
static struct tree *insert(struct tree *tree, unsigned key) {
  if (!tree) {
    struct tree *fresh = malloc(sizeof *fresh);
    if (!fresh) abort();
    fresh->key = key;
    fresh->count = 1;
    fresh->left = fresh->right = NULL;
    return fresh;
  }
  if (key < tree->key) tree->left = insert(tree->left, key);
  else if (key > tree->key) tree->right = insert(tree->right, key);
  else tree->count++;
  return tree;
}
static int height(const struct tree *tree) {
  if (!tree) return 0;
  int left = height(tree->left), right = height(tree->right);
  return 1 + (left > right ? left : right);
}
static int contains(const struct tree *tree, unsigned key) {
  while (tree && tree->key != key) tree = key < tree->key ? tree->left : tree->right;
  return tree != NULL;
}
int main(void) {
  struct tree *root = NULL;
  unsigned random = 7;
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    random = random * 1664525u + 1013904223u;
    root = insert(root, random >> 12);
  }
  for (int i = 0; i < SIZE; i++) {
    random = random * 1664525u + 1013904223u;
    hits += contains(root, random >> 12);
  }
  printf("%d %d\n", height(root), hits);
  return 0;
}
