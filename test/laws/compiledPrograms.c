/* Small programs for the law that compiled code does what the reference machine does. Each takes a number; several fail
 * a check for some. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };
struct pair { short a; long long b; unsigned char c[3]; };
union word { float f; unsigned u; unsigned char bytes[4]; };
static int table[16];
static unsigned char flags[40];
static struct pair pairs[4];
static const char text[] = "the quick brown fox";
int counter;
unsigned long long wide = 5;
double real = 0.5;
static int *cursor;
static long outcome;

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int fail(int x) { return 100 / (x - 3); }
static int (*const operations[])(int) = { twice, square, fail };

int run_loops(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j++) { if ((i ^ j) & 1) continue;
    s += i * j; if (s > 3000) break; } return s; }
int run_array(int n) { for (int i = 0; i < n; i++) table[i] = i * i; int s = 0;
  for (int i = n - 1; i >= 0; i--) s += table[i]; counter += s; return s; }
int run_local_array(int n) { int a[8] = {1, 2, 3}; int s = 0; for (int i = 0; i < n; i++) { a[i] += i; s += a[i]; }
  return s; }
int run_unset(int n) { int a[8]; for (int i = 0; i < n && i < 8; i++) if (i != 2) a[i] = i;
  return a[n > 4 ? 2 : n & 1]; }
int run_sieve(int n) { int c = 0; memset(flags, 0, sizeof flags);
  for (int i = 2; i < n + 10; i++) { if (flags[i]) continue; c++; for (int j = 2 * i; j < n + 10; j += i) flags[j] =
      1; } return c; }
int run_recursion(int n) { return n < 2 ? n : run_recursion(n - 1) + run_recursion(n - 2); }
int run_deep(int n) { int here = n; int *p = &here; return n <= 0 ? 0 : run_deep(*p - 1) + 1; }
unsigned long long run_xorshift(int n) { unsigned long long x = wide; for (int i = 0; i < n * 5; i++) { x ^= x << 13;
    x ^= x >> 7; x ^= x << 17; } wide = x; return x; }
int run_list(int n) {
  struct node *list = 0;
  for (int i = 0; i < n; i++) { struct node *fresh = malloc(sizeof *fresh); if (!fresh) return -1; fresh->value = i;
    fresh->next = list; list = fresh; }
  int s = 0;
  for (struct node *p = list; p; p = p->next) s += p->value;
  while (list) { struct node *next = list->next; free(list); if (n == 17 && next) s += list->value; list = next; }
  return s;
}
int run_pointers(int n) { cursor = table; for (int i = 0; i < n; i++) *cursor++ = i; int *low = table + 1;
  return cursor > low ? (int)(cursor - low) : *(table - 1 + n); }
int run_struct(int n) {
  for (int i = 0; i < 4; i++) pairs[i] = (struct pair){ (short)(i * n), 7LL * i, { 1, 2, (unsigned char)n } };
  struct pair copy = pairs[n & 3];
  struct pair unset, other;
  other = unset;
  if (n > 3) copy.b += other.b;
  return (int)(copy.a + copy.b + copy.c[2] + sizeof copy);
}
int run_union(int n) { union word w; w.f = 1.5f * (float)n; unsigned char b = w.bytes[3]; w.u ^= 0x80000000u;
  return (int)w.f + b; }
double run_floats(int n) { float f = 0.1f; double d = real; for (int i = 0; i < n; i++) { f = f * 1.1f + (float)i;
    d = d / 3 - f; real += d; } return f < d ? d : -d; }
int run_conversions(int n) {
  double d = n * 1e9 + 0.75; float f = (float)(n * 16777217LL);
  long long a = (long long)d; unsigned char b = (unsigned char)n; unsigned u = (unsigned)-n;
  unsigned long long big = (unsigned long long)(d * 4e9);
  outcome = (long)a; return (int)(a % 1000) + b + (int)(u >> 28) + (int)f % 7 + (int)(big >> 40) + (n > 4 ? (int)d : 0);
}
int run_division(int n) { int s = 0; for (int i = -3; i < 4; i++) { s += n * 7 / (i ? i : 2) + n * 5 % (i ? i : 3); }
  long long m = -9223372036854775807LL - 1; if (n == 3) s += (int)(m / (n - 4));
  return s + 100 / (n - 17) + 7u / (unsigned)(n + 1); }
int run_shifts(int n) { int s = 1 << (n & 15); s ^= -77 >> (n & 7);
  unsigned short h = (unsigned short)(0xabcd << (n & 3)); signed char c = (signed char)(0xf0 >> n);
  return s + h + c + (1 << n * 3); }
int run_overflow(int n) { int s = 1; for (int i = 0; i < n; i++) s *= 7; return s; }
int run_calls(int n) { int s = 0; for (int i = 0; i <= n; i++) s += operations[i % 3](i); return s; }
int run_pointer_call(int n) { int (*f)(int) = n == 3 ? 0 : n & 1 ? twice : square; return f(n); }
int run_string(int n) {
  char buffer[24]; strcpy(buffer, text); for (int i = 0; i < n; i++) for (char *p = buffer; *p; p++) *p =
      (char)(*p == 'z' ? 'a' : *p + (*p >= 'a'));
  char *copy = malloc(strlen(buffer) + 1); if (!copy) return 0; strcpy(copy, buffer); int same = strcmp(copy, text);
  printf("%s %d\n", copy, same); free(copy); return same < 0;
}
int run_format(int n) { for (int i = 0; i < n; i++) printf("%d:%5.2f|%-4s|%x\n", i, i / 3.0, i & 1 ? "odd" : "even",
    i * 31); char b[8]; return snprintf(b, sizeof b, "%d", n * 1000) + b[0]; }
int run_format_fault(int n) { char b[2]; return sprintf(b, "%d", n * n * n); }
int run_switch(int n) { int s = 0; for (int i = 0; i < n + 5; i++) switch (i % 6) { case 0: s += 1; break;
    case 1: s += 10; case 2: s += 100; break; case 5: s ^= 3; continue; default: s--; } return s; }
int run_goto(int n) { int i = 0, s = 0; again: if (i < n) { int a[2] = { i, s }; s += a[i & 1] + 1; i++; goto again; }
  return s; }
int run_irreducible(int n) { int s = 0, i = 0; if (n & 1) goto inside; while (i < n) { s += i; inside: s += 2; i++; }
  return s; }
int run_inner_frame(int n) { int s = 0; for (int i = 0; i < n; i++) { int a[3]; int *p = a;
    for (int j = 0; j < 3; j++) { int b = j; int *q = &b; p[j] = *q + i; } s += p[i % 3]; } return s; }
int run_dangling(int n) { int *p = table; for (int i = 0; i < n; i++) { int x = i; if (i == 2) p = &x; } return *p; }
int run_readonly(int n) { char *p = (char *)text; if (n > 2) p[n % 4] = 'x'; return *p; }
int run_bytes(int n) { long long v = 0x0102030405060708LL * n; unsigned char *p = (unsigned char *)&v; int s = 0;
  for (unsigned i = 0; i < sizeof v; i++) s = s * 3 + p[i]; memmove(p + 1, p, 5); return s + (int)(v >> 16); }
int run_pointer_integer(int n) { unsigned long a = (unsigned long)&table[n & 15]; int *p = (int *)(a - (a & 3));
  *p = n; return table[n & 15] + (int)((char *)p - (char *)table); }
int run_calloc(int n) { int *a = calloc((size_t)n + 1, sizeof *a); if (!a) return -1; struct pair unset;
  if (n == 3) memcpy(a, &unset, 8); int s = a[0] + a[n]; a = realloc(a, 200); if (!a) return -2; a[40] = s;
  free(a + (n == 17)); return s; }
int run_exit(int n) { for (int i = 0; i < 10; i++) if (i > n) exit(i); return n; }
volatile int observed; int run_volatile(int n) { for (int i = 0; i < n; i++) observed = observed * 2 + i;
  return observed; }
struct big { int a[6]; }; static struct big make(int n) { struct big b; for (int i = 0; i < 6; i++) b.a[i] = n + i;
  return b; }
int run_by_value(int n) { struct big b = make(n), c = b; c.a[2] = 0; b = n & 1 ? b : c; return b.a[2] + c.a[n]; }
/* What is known of memory, and what takes it away. */
static void spoil(struct pair *to) { struct pair unset; memcpy(to, &unset, sizeof *to); }
static void mend(struct pair *to) { struct pair set = { 1, 2 }; memcpy(to, &set, sizeof *to); }
int run_unwritten_again(int n) { struct pair p = { 1, 2 }, *q = &p; int s = 0; for (int i = 0; i < 20; i++) {
    s += q->a; if (i % 4 == 1) mend(q); if (i == n) spoil(q); s += q->a; } return s; }
int run_copied_unwritten(int n) { int s = 0; for (int i = 0; i < 20; i++) { struct pair p = { i, i }, unset;
    struct pair *q = &p; s += q->b; if (i == n) *q = unset; s += q->b; } return s; }
int run_new_each_round(int n) { int s = 0; for (int i = 0; i < 20; i++) { int x; if (i != n) x = i; s += x; }
  return s; }
static int *kept; static void keep(int *p) { kept = p; }
int run_pointer_in_caller(int n) { int s = 0; for (int i = 0; i < 20; i++) { int hidden[2] = { i, 1 }; { int x = i;
    keep(&x); s += *kept + hidden[i & 1]; } if (i == n) s += *kept; } return s; }
static void drop(int *p, int i, int n) { if (i == n) free(p); }
int run_freed_by_callee(int n) { int s = 0; for (int i = 0; i < 20; i++) { int *p = malloc(8), *q = p; if (!p) return 0;
    p[0] = i; p[1] = 2; s += q[1]; drop(p, i, n); s += q[0]; if (i != n) free(q); } return s; }
int run_copy_sizes(int n) { unsigned char a[160], b[160]; unsigned s = 0; for (int i = 0; i < 160; i++) a[i] = b[i] =
    (unsigned char)(i * 7 + n); for (size_t k = 0; k < 80; k++) { memcpy(b + k, a + 80, k); memmove(a + 1, a, k);
    memmove(a, a + 3, k); for (size_t i = 0; i < k + 2; i++) s = s * 31 + a[i] + b[i]; } return (int)(s & 0xffff); }
int run_copy_marks(int n) { int s = 0; for (size_t k = 0; k < 70; k++) { char to[72], from[72] = "";
    memcpy(to, from, k);
    s += k > 0 ? to[k - 1] + 1 : 0; if (k == (size_t)n) s += to[k]; memcpy(from, to, k); } return s; }
int run_copy_nothing(int n) { char a[4] = "abc"; int s = 0; for (int i = 0; i < 20; i++) { char *p = i % 3 ? a : NULL;
    memcpy(p, p, p ? (size_t)(i == n) * 9 : 0); s += a[i % 3]; } return s; }
int run_copy_beyond(int n) { char *p = malloc(16), q[16] = "0123456789abcde"; if (!p) return 0; int s = 0;
  for (int i = 0; i < 20; i++) { memcpy(p, q, (size_t)(i == n ? 17 : 1 + i % 16)); s += p[0]; } free(p); return s; }
int run_write_protected(int n) { static char own[8]; int s = 0; for (int i = 0; i < 20; i++) { char *p = i == n ?
    (char *)text : own; p[0] = 'a'; p[1] = 'b'; s += p[0]; } return s; }
int run_null_later(int n) { int x = 1, s = 0; for (int i = 0; i < 20; i++) { int *p = i == n ? NULL : &x; *p += i;
    s += *p; } return s; }
int run_offsets(int n) { int a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, s = 0; for (int *p = a, *e = a + 8; p < e + (n == 17);)
    s += *p++; return s; }
int run_pointer_outlives(int n) { int s = 0; for (int i = 0; i < 20; i++) { int *p; { int x = i; p = &x; s += *p; }
    if (i == n) s += *p; } return s; }
int run_protected_after_nothing(int n) { static char own[8]; char q[4] = "abc"; int s = 0;
  for (int i = 0; i < 20; i++) {
    char *p = i == n ? (char *)text : own; memcpy(p, q, (size_t)(i != n)); p[1] = 'x'; s += p[0]; } return s; }
int run_protected_next(int n) { static char own[8]; int s = 0; for (int i = 0; i < 20; i++) { char *p = own; p[0] = 'a';
    p = i == n ? (char *)text : own; p[0] = 'b'; s += p[0]; } return s; }
struct place { double x; float y; };
int run_numbers_compared(int n) { struct place at = { -1.5, 0.25f }, *to = &at;
  double limit = n - 3, none = 0; int s = 0;
  none /= limit * 0 + (n == 3); for (int i = 0; i < 20; i++) { if (to->x < limit) to->x = to->x * 2 + 1;
    if (at.x >= 8.5 || at.y == (float)limit) s += i; while (to->y < 3.5f && to->y <= limit) to->y += 1;
    if (none != none) s--;
    if (-to->x > limit) to->x = -limit; } return s; }
static int deep_sum(int n, const int *outer) { int own[30] = { n }, s = 0; for (int i = 0; i < 3; i++) {
    char text[100]; text[i] = (char)n; s += text[i] + own[0]; } return n > 0 ? deep_sum(n - 1, own) + *outer + s : s; }
int run_deeper_than_room(int n) { int x = 2, s = 0; for (int i = 0; i < 3; i++) s += deep_sum(40 * n, &x); return s; }
static int *same_pointer(int *p) { return p; }
int run_returned_outlives(int n) { int s = 0, *q = &s; for (int i = 0; i < 20; i++) { int x = i; if (i == n) s += *q;
    q = same_pointer(&x); s += *q; } return s; }
static int sum_to(int *into, int n) { int part = n; if (n > 0) sum_to(&part, n - 1); *into += part; return *into; }
int run_pointers_to_callers(int n) { int s = 0; for (int i = 0; i < 4; i++) sum_to(&s, n + i); return s; }
static int fill_large(unsigned char *to, int n) { for (int i = 0; i < n; i++) to[i] = (unsigned char)i; return n; }
int run_confined_large(int n) { int s = 0; for (int i = 0; i < 9; i++) { unsigned char large[700]; struct place at;
    fill_large(large, 20 * n); at.x = i; if (i > 7) s += large[400]; s += (int)at.x + (n ? large[n] : 0); } return s; }
