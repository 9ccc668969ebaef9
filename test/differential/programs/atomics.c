/* Atomic types and operations, of C11 and of GNU C, by one thread. */
#include <stdatomic.h>
#include <stdio.h>

static _Atomic unsigned counter;
static atomic_int signed_counter = ATOMIC_VAR_INIT(2147483647);
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Thread_local int own = 3;
static __thread long other;
struct node { int value; struct node *_Atomic next; };
static _Atomic(struct node *) head;

static void push(struct node *node) {
  struct node *old = atomic_load_explicit(&head, memory_order_relaxed);
  do node->next = old;
  while (!atomic_compare_exchange_weak_explicit(&head, &old, node, memory_order_release, memory_order_relaxed));
}

static int next(void) {
  static _Thread_local int calls;
  return ++calls;
}

#define show(value) printf("%lld ", (long long)(value))

int main(void) {
  struct node nodes[4];
  for (int i = 0; i < 4; i++) {
    nodes[i].value = i * i;
    push(&nodes[i]);
  }
  for (struct node *node = atomic_load(&head); node; node = node->next) printf("%d ", node->value);
  printf("\n");
  show(atomic_fetch_add(&counter, 5));
  show(atomic_load(&counter));
  show(atomic_fetch_sub_explicit(&counter, 7, memory_order_acq_rel));
  show(counter);
  counter++;
  counter += 4;
  atomic_fetch_or(&counter, 24);
  atomic_fetch_and(&counter, 27);
  atomic_fetch_xor(&counter, 1);
  show(counter);
  show(atomic_exchange(&counter, 9u));
  show(counter);
  atomic_fetch_add(&signed_counter, 1);
  show(signed_counter);
  unsigned expected = 8;
  show(atomic_compare_exchange_strong(&counter, &expected, 100u));
  show(atomic_compare_exchange_strong(&counter, &expected, 100u));
  show(expected);
  show(counter);
  printf("\n");
  show(atomic_flag_test_and_set(&lock));
  show(atomic_flag_test_and_set_explicit(&lock, memory_order_acquire));
  atomic_flag_clear(&lock);
  show(atomic_flag_test_and_set(&lock));
  atomic_thread_fence(memory_order_seq_cst);
  unsigned char byte = 250, other_byte;
  short s = 5;
  int numbers[4] = { 10, 20, 30, 40 }, *p = numbers, *q = numbers + 2;
  show(__sync_fetch_and_add(&byte, 10));
  show(byte);
  show(__sync_sub_and_fetch(&s, 7));
  show(__atomic_nand_fetch(&s, 6, __ATOMIC_SEQ_CST));
  show(__sync_bool_compare_and_swap(&s, s, 77));
  show(__sync_val_compare_and_swap(&s, 78, 1));
  show(s);
  __atomic_store(&byte, &(unsigned char){ 17 }, __ATOMIC_RELEASE);
  __atomic_exchange(&byte, &(unsigned char){ 18 }, &other_byte, __ATOMIC_ACQ_REL);
  show(byte);
  show(other_byte);
  show(*__atomic_fetch_add(&p, sizeof *p, __ATOMIC_RELAXED));
  show(*p);
  show(*__sync_lock_test_and_set(&p, q));
  show(*p);
  __sync_lock_release(&s);
  __sync_synchronize();
  show(s);
  printf("\n");
  show(__atomic_always_lock_free(sizeof(int), 0));
  own++;
  show(own + other);
  next();
  show(next());
  show(__builtin_classify_type(1));
  show(__builtin_classify_type(1.0));
  show(__builtin_classify_type(&s));
  show(__builtin_classify_type(nodes[0]));
  show(sizeof(atomic_long) + _Alignof(atomic_short));
  return 0;
}
