/* C as it was before C99: no types where they are int, no declarations of functions, parameters after the parentheses.
 * */
struct point { int x, y; };
static total;
double half();

add(a, b) { return a + b; }

char *skip(text, blank) register char *text; char blank;
{
  while (*text == blank) text++;
  return text;
}

narrow(c, s, f, u)
     unsigned char c;
     short s;
     float f;
     unsigned u;
{
  return c == 44 && s == -1 && f == 0.1f && u == 4000000000u;
}

struct point move(p, dx) struct point p; { p.x += dx; return p; }
int (*choose(up))() { return up ? add : 0; }
apply(f, x) int (*f)(); int x; { return (*f)(x, 1); }
sum(a, n) int a[]; { int s = 0; while (n--) s += a[n]; return s; }
int proto(int, int);
int proto(n, c) int n; char c; { return n * 10 + c; }

void nothing() { total++; return; }

main(argc, argv) char **argv; {
  static int numbers[] = { 1, 2, 3 };
  register i = 3;
  auto j = 4;
  struct point p;
  p.x = 1;
  p.y = 2;
  p = move(p, 5);
  printf("%d %s %d\n", add(i, j), skip("  x", ' '), narrow(300, 65535, 0.1, 4000000000u));
  printf("%d %d %d %d\n", p.x, p.y, apply(choose(1), 41), sum(numbers, 3));
  printf("%d %g %d\n", proto(3, 260), half(9), (int) strlen("four"));
  printf("%d\n", (i ? numbers : 1) == numbers);
  nothing();
  if (total != 1) abort();
  exit(later(argc > 0));
}

double half(n) int n; { return n / 2.0; }
later(n) { return n + 6; }
