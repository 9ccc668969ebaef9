/* Every way control can go. */
#include <stdio.h>

static int calls;
static int yes(int x) { calls = calls * 10 + x; return 1; }
static int no(int x) { calls = calls * 10 + x; return 0; }

static int classify(int n) {
  switch (n) {
    case -1: return 100;
    case 0: case 1: n += 10; /* falls through */
    case 2: n += 20; break;
    case 'a' ... 'f': return n - 'a';
    case 1000: { int inner = n; switch (inner % 3) { case 1: n = 7; break; default: n = 8; } break; }
    default: n = -n;
  }
  return n;
}

static int large(long long n) {
  switch (n) { case 0x100000000LL: return 1; case 0: return 2; case -0x100000000LL: return 3; }
  return 4;
}

static int narrow(unsigned char c) { switch (c) { case 255: return 1; case 0: return 2; default: return 3; } }

static void copy(char *to, const char *from, int count) {
  int rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
  }
}

static int search(int target) {
  int i, j;
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++)
      if (i * j == target) goto found;
  return -1;
found:
  return 100 * i + j;
}

static int backwards(int n) {
  int sum = 0;
again:
  if (n == 0) goto done;
  sum += n--;
  { int shadow = sum; if (shadow % 2) goto again; sum++; }
  goto again;
done:
  return sum;
}

static int loops(void) {
  int total = 0, i = 0;
  do { i++; if (i == 3) continue; if (i == 8) break; total += i; } while (i < 10);
  for (;;) { if (++total > 40) break; }
  while (i-- > 0) { for (int k = 0; ; k++) { if (k == 2) continue; if (k > i) break; total += k; } if (i == 2) break; }
  for (int a = 0, b = 10; a < b; a++, b--) total += b - a;
  return total;
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int is_even(int n);
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1)
    : ackermann(m - 1, ackermann(m, n - 1)); }

static int counter(void) { static int count = 5; return count++; }

int main(void) {
  for (int n = -3; n < 5; n++) printf("%d ", classify(n));
  printf("%d %d %d %d\n", classify('a'), classify('f'), classify(1000), classify(77));
  printf("%d %d %d %d\n", large(0x100000000LL), large(0), large(-0x100000000LL), large(1));
  printf("%d %d %d\n", narrow((unsigned char) -1), narrow((unsigned char) 256), narrow(9));
  char target[16] = "";
  for (int n = 1; n < 9; n++) { copy(target, "abcdefghij", n); target[n] = 0; printf("%s ", target); }
  printf("\n%d %d %d %d\n", search(42), search(81), search(97), backwards(10));
  printf("%d\n", loops());
  printf("%d %d %d %d\n", fibonacci(17), is_even(100), is_odd(77), ackermann(2, 4));

  calls = 0; int r = no(1) && yes(2); printf("%d %d, ", r, calls);
  calls = 0; r = yes(1) || no(2); printf("%d %d, ", r, calls);
  calls = 0; r = (no(1) || yes(2)) && (yes(3) || yes(4)); printf("%d %d, ", r, calls);
  calls = 0; r = yes(1) ? no(2) : yes(3); printf("%d %d, ", r, calls);
  calls = 0; r = (yes(1), no(2), yes(3)); printf("%d %d\n", r, calls);
  int x = 5; x = x++ > 5 ? x : -x; printf("%d ", x);
  int y = (x = 3, x + 1); printf("%d %d ", x, y);
  if (x == 3) if (y == 5) printf("no"); else printf("dangling");
  printf("\n%d %d %d\n", counter(), 0, 0); printf("%d\n", counter() * 100);
  int z = 0; while (z < 3) switch (z++) { case 1: continue; default: printf("z%d ", z); }
  printf("\n");
  return 3;
}
