#include <stdio.h>
#include <string.h>
#include "cc_array.h"
#include "cc_hashtable.h"
#include "cc_treetable.h"
#include "cc_deque.h"
#include "cc_list.h"
static int values[200];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_pointer(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
int main(void) {
  CC_Array *a; CC_HashTable *h; CC_TreeTable *t; CC_Deque *d; CC_List *l; void *out; CC_TreeTableIter it;
  CC_TreeTableEntry e; char names[200][8]; long sum = 0;
  cc_array_new(&a); cc_hashtable_new(&h); cc_treetable_new(compare, &t); cc_deque_new(&d); cc_list_new(&l);
  for (int i = 0; i < 200; i++) { values[i] = i * 73 % 199; sprintf(names[i], "n%d", i); cc_array_add(a, &values[i]);
    cc_hashtable_add(h, names[i], &values[i]); cc_treetable_add(t, &values[i], names[i]);
    if (i % 2) cc_deque_add_first(d, &values[i]); else cc_deque_add_last(d, &values[i]); cc_list_add(l, &values[i]); }
  cc_array_sort(a, by_pointer); cc_array_get_at(a, 10, &out); printf("%d ", *(int *)out);
  cc_hashtable_get(h, "n77", &out); printf("%d ", *(int *)out);
  cc_treetable_iter_init(&it, t); for (int i = 0; cc_treetable_iter_next(&it, &e) != CC_ITER_END; i++) if (i % 20 == 0)
      printf("%d=%s ", *(int *)e.key, (char *)e.value);
  cc_deque_get_first(d, &out); printf("%d ", *(int *)out);
  for (size_t i = 0; i < cc_list_size(l); i++) { cc_list_get_at(l, i, &out); sum = sum * 3 + *(int *)out & 0xffffff; }
  printf("%ld %zu %zu\n", sum, cc_hashtable_size(h), cc_treetable_size(t));
  cc_array_destroy(a); cc_hashtable_destroy(h); cc_treetable_destroy(t); cc_deque_destroy(d); cc_list_destroy(l);
  return 0;
}
