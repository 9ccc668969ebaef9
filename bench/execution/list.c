/* A linked list: built on the heap, reversed, walked, sorted by insertion into buckets. */
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *push(struct node *list, int key) {
  struct node *fresh = malloc(sizeof *fresh);
  if (!fresh) abort();
  fresh->key = key;
  fresh->next = list;
  return fresh;
}
static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}
int main(void) {
  struct node *list = NULL;
  unsigned random = 1, sum = 0;
  for (int i = 0; i < 5000; i++) {
    random = random * 1664525u + 1013904223u;
    list = push(list, (int)(random >> 16));
  }
  for (int round = 0; round < SIZE; round++) {
    list = reverse(list);
    int largest = 0;
    for (struct node *p = list; p; p = p->next) {
      if (p->key > largest) largest = p->key;
      p->key = (p->key + round) & 0xffff;
      sum += (unsigned)p->key;
    }
    sum ^= (unsigned)largest;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  printf("%u\n", sum);
  return 0;
}
