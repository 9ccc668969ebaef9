/* Pointers to everything: arithmetic, functions, lists on the heap, strings. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->value = value; n->next = list;
  return n;
}
static struct node *reverse(struct node *list) {
  struct node *result = NULL;
  while (list) { struct node *next = list->next; list->next = result; result = list; list = next; }
  return result;
}
static void insert_sorted(struct node **where, struct node *n) {
  while (*where && (*where)->value < n->value) where = &(*where)->next;
  n->next = *where; *where = n;
}
static void release(struct node *list) { while (list) { struct node *next = list->next; free(list); list = next; } }
static void show(const struct node *list) { for (; list; list = list->next) printf("%d ", list->value); printf("\n"); }

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*choose(int which))(int, int) { return which ? add : sub; }
static int fold(int (*f)(int, int), const int *begin, const int *end, int start) { while (begin != end) start =
    f(start, *begin++); return start; }
static int (*const table[])(int, int) = { add, sub, &add };

static int compare_ints(const void *a, const void *b) { int x = *(const int *) a, y = *(const int *) b;
  return (x > y) - (x < y); }

struct tree { struct tree *left, *right; int key; };
static struct tree *insert(struct tree *t, int key) {
  if (!t) { t = calloc(1, sizeof *t); if (!t) abort(); t->key = key; }
  else if (key < t->key) t->left = insert(t->left, key);
  else if (key > t->key) t->right = insert(t->right, key);
  return t;
}
static int depth(const struct tree *t) { if (!t) return 0; int l = depth(t->left), r = depth(t->right);
  return 1 + (l > r ? l : r); }
static void destroy(struct tree *t) { if (t) { destroy(t->left); destroy(t->right); free(t); } }

static void swap(void *a, void *b, size_t size) {
  unsigned char *x = a, *y = b;
  while (size--) { unsigned char t = *x; *x++ = *y; *y++ = t; }
}

static char *words[] = { "zero", "one", "two", "three", NULL };
static int numbers[] = { 5, 3, 9, 1, 7 };
static int *middle = &numbers[2];
static char *const inside = &"constant"[3];

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 5; i++) list = push(list, i * i);
  show(list); list = reverse(list); show(list);
  struct node *extra = push(NULL, 5); insert_sorted(&list, extra); show(list); release(list);

  printf("%d %d %d %d\n", choose(1)(7, 3), choose(0)(7, 3), (*table[1])(1, 2), (**table[2])(1, 2));
  printf("%d %d\n", fold(add, numbers, numbers + 5, 0), fold(sub, numbers, middle, 100));
  printf("%d %d %d %d %d\n", choose(1) == add, choose(0) == add, choose(0) != NULL, !choose(1), table[0] == table[2]);

  int *p = numbers, *q = &numbers[4];
  printf("%td %d %d %d %d %d\n", q - p, p < q, *(q - 1), q[-2], *middle, 2[numbers]);
  printf("%d ", *p++); printf("%d ", *++p); printf("%d ", (*p)++); printf("%d ", --*p); printf("%d\n", *--p);
  p += 2; p -= 1; *p = 42; printf("%d %d\n", numbers[2], p == numbers + 2);
  for (char **w = words; *w; w++) printf("%s(%zu) ", *w, strlen(*w));
  printf("%s %c\n", inside, *(words[3] + 2));

  int **pp = &p; **pp = 8; *pp = numbers; printf("%d %d\n", *p, numbers[2]);
  int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int (*row)[3] = grid; row++;
  printf("%d %zu %d\n", (*row)[1], sizeof *row, (*(grid + 1))[2]);
  printf("%zu %zu\n", sizeof *(0 ? (int (*)[]) 0 : (int (*)[4]) 0), sizeof *(0 ? (int (*)[4]) 0 : (int (*)[]) 0));
  void *v = &numbers[1]; char *c = v; c += sizeof(int); printf("%d %d\n", *(int *) c, *(int *) v);
  double a = 1.5, b = -2.5; swap(&a, &b, sizeof a); printf("%g %g\n", a, b);

  int *grown = malloc(4 * sizeof *grown);
  if (!grown) abort();
  for (int i = 0; i < 4; i++) grown[i] = 10 - i;
  grown = realloc(grown, 8 * sizeof *grown);
  if (!grown) abort();
  for (int i = 4; i < 8; i++) grown[i] = i * 3 % 7;
  qsort(grown, 8, sizeof *grown, compare_ints);
  for (int i = 0; i < 8; i++) printf("%d ", grown[i]);
  int key = 9; int *hit = bsearch(&key, grown, 8, sizeof *grown, compare_ints);
  printf("%d\n", hit ? (int) (hit - grown) : -1);
  free(grown); free(NULL);

  struct tree *t = NULL; unsigned seed = 1; for (int i = 0; i < 60; i++) { seed = seed * 1103515245u + 12345;
    t = insert(t, (int) (seed >> 16) % 100); }
  printf("%d\n", depth(t)); destroy(t);

  uintptr_t bits = (uintptr_t) &numbers[1]; int *back = (int *) bits;
  printf("%d %d %d\n", *back, back == numbers + 1, (int) (bits % 4));
  printf("%d %d %d\n", (void *) 0 == NULL, !p, p && 1);
  const char *s = "walk"; int length = 0; while (*s++) length++; printf("%d\n", length);
  int (*fp)(const char *, ...) = printf; fp("%s\n", "through a pointer");
  return 0;
}
