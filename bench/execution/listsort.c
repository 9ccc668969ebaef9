/* A linked list of records: built with malloc, sorted by merging, summed and freed. */
#include <stdio.h>
#include <stdlib.h>
struct node { int key; int order; struct node *next; };
static struct node *merge(struct node *a, struct node *b) {
  struct node head, *tail = &head;
  while (a && b) {
    if (a->key <= b->key) { tail->next = a; a = a->next; }
    else { tail->next = b; b = b->next; }
    tail = tail->next;
  }
  tail->next = a ? a : b;
  return head.next;
}
static void halve(struct node *list, struct node **front, struct node **back) {
  struct node *slow = list, *fast = list->next;
  while (fast) {
    fast = fast->next;
    if (fast) { slow = slow->next; fast = fast->next; }
  }
  *front = list;
  *back = slow->next;
  slow->next = NULL;
}
static void sort(struct node **list) {
  struct node *a, *b;
  if (!*list || !(*list)->next) return;
  halve(*list, &a, &b);
  sort(&a);
  sort(&b);
  *list = merge(a, b);
}
int main(void) {
  unsigned seed = 12345;
  unsigned long sum = 0;
  for (int round = 0; round < SIZE; round++) {
    struct node *list = NULL;
    for (int i = 0; i < 200; i++) {
      struct node *n = malloc(sizeof *n);
      if (!n) return 1;
      seed = seed * 1103515245u + 12345u;
      n->key = (int)(seed >> 16 & 1023);
      n->order = i;
      n->next = list;
      list = n;
    }
    sort(&list);
    int last = -1, at = 0;
    while (list) {
      struct node *next = list->next;
      if (list->key < last) return 2;
      last = list->key;
      sum += (unsigned long)(at++ * list->key + list->order);
      free(list);
      list = next;
    }
  }
  printf("%lu\n", sum);
  return 0;
}
