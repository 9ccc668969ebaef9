/* setjmp and longjmp: out of deep recursion, out of loops that run long, again and again, between two places, with
 * objects of every kind on the way. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf outer, inner;
static int depth, unwound;

struct handler { jmp_buf place; struct handler *previous; int code; };
static struct handler *handlers;

static void raise_error(int code) {
  struct handler *handler = handlers;
  handlers = handler->previous;
  handler->code = code;
  longjmp(handler->place, code);
}

static int deep(int n) {
  char buffer[16];
  depth++;
  memset(buffer, n, sizeof buffer);
  if (n == 0) longjmp(outer, 7);
  return deep(n - 1) + buffer[3];
}

/* An interpreter's main loop: hot enough to be compiled, left from below. */
static long work(int rounds, int stop) {
  long sum = 0;
  for (int i = 0; i < rounds; i++) {
    sum += i % 7;
    if (i == stop) raise_error(i & 1 ? 3 : 4);
  }
  return sum;
}

static long guarded(int rounds, int stop) {
  struct handler handler;
  volatile long result = -1;
  handler.previous = handlers;
  handlers = &handler;
  if (setjmp(handler.place) == 0) {
    result = work(rounds, stop);
    handlers = handler.previous;
  } else {
    unwound++;
    return -handler.code;
  }
  return result;
}

static int nested(void) {
  switch (setjmp(inner)) {
    case 0: raise_error(1); return -1;
    case 1: return 10;
    default: return 20;
  }
}

static int count_up(void) {
  volatile int count = 0;
  int seen = setjmp(outer);
  count++;
  if (seen < 5) longjmp(outer, seen + 1);
  return count * 100 + seen;
}

static int both(void) {
  volatile int steps = 0;
  int a = setjmp(outer);
  if (a == 0) {
    if (setjmp(inner) == 0) {
      steps += 1;
      longjmp(inner, 1);
    }
    steps += 10;
    longjmp(outer, 2);
  }
  steps += 100;
  return steps + a * 1000;
}

static int compare(const void *a, const void *b) {
  if (*(const int *)a == 13 || *(const int *)b == 13) longjmp(inner, 13);
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  int code = setjmp(outer);
  if (code == 0) deep(200);
  printf("%d %d\n", code, depth);
  if (!setjmp(outer)) longjmp(outer, 0);
  else printf("zero becomes one\n");
  for (int i = 0; i < 40; i++) printf("%ld%c", guarded(3000, i % 3 == 0 ? i * 60 : -1), i % 10 == 9 ? '\n' : ' ');
  printf("unwound %d\n", unwound);
  struct handler handler = { .previous = NULL };
  handlers = &handler;
  volatile int answer = 0;
  if (setjmp(handler.place)) answer = 5;
  else answer = nested();
  printf("%d %d\n", answer, count_up());
  printf("%d\n", both());
  int numbers[] = { 5, 2, 13, 8 };
  int interrupted = setjmp(inner);
  if (interrupted == 0) qsort(numbers, 4, sizeof *numbers, compare);
  printf("%d\n", interrupted);
  return 0;
}
