/* Words in a tree of tables, made by calloc and given back: insertion, search, removal. */
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *child[26]; int count; };
static struct node *make(void) { return calloc(1, sizeof(struct node)); }
static void insert(struct node *n, const char *w) {
  for (; *w; w++) {
    struct node **slot = &n->child[*w - 'a'];
    if (!*slot) { *slot = make(); if (!*slot) return; }
    n = *slot;
  }
  n->count++;
}
static int find(const struct node *n, const char *w) {
  for (; *w && n; w++) n = n->child[*w - 'a'];
  return n ? n->count : 0;
}
static void drop(struct node *n) { if (!n) return; for (int i = 0; i < 26; i++) drop(n->child[i]); free(n); }
int main(void) {
  long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    struct node *root = make();
    char w[8];
    for (int k = 0; k < 40; k++) {
      int v = i * 40 + k, n = 0;
      do { w[n++] = 'a' + v % 5; v /= 5; } while (v && n < 6);
      w[n] = 0;
      insert(root, w);
    }
    for (int k = 0; k < 60; k++) {
      int v = k * 7, n = 0;
      do { w[n++] = 'a' + v % 5; v /= 5; } while (v && n < 6);
      w[n] = 0;
      sum += find(root, w);
    }
    drop(root);
  }
  printf("%ld\n", sum);
  return 0;
}
