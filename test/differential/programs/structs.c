/* Structures as values: passed, returned, assigned, compared field by field, initialised in every form. */
#include <stdio.h>

typedef struct { int x, y; } point;
typedef struct { point corner[2]; char name[8]; } rectangle;
struct big { int data[20]; double weight; };

static point make(int x, int y) { point p = { x, y }; return p; }
static point add(point a, point b) { a.x += b.x; a.y += b.y; return a; }
static int area(rectangle r) { r.corner[1].x -= r.corner[0].x; r.corner[1].y -= r.corner[0].y;
  return r.corner[1].x * r.corner[1].y; }
static struct big fill(struct big b, int n) { for (int i = 0; i < 20; i++) b.data[i] += i * n; b.weight *= 2;
  return b; }
static int total(const struct big *b) { int s = 0; for (int i = 0; i < 20; i++) s += b->data[i]; return s; }
static point recursive(int n) { if (n == 0) return make(0, 1); point p = recursive(n - 1);
  return make(p.y, p.x + p.y); }
static point *smaller(point *a, point *b) { return a->x < b->x ? a : b; }

static point origin;
static const rectangle unit = { .corner = { [1] = { 1, 1 } }, .name = "unit" };
static int sparse[10] = { [3] = 30, 40, [8] = 80, 90 };
static int inferred[] = { 1, 2, [6] = 7 };
static char text[] = "text", exact[4] = "abcd", padded[8] = "pad", lists[][4] = { "ab", "c", { 'd', 0 } };
static struct { int a; struct { int b[2]; union { int i; float f; } u; } n[2]; }
deep = { 1, { { { 2, 3 }, { 4 } }, { .b = { [1] = 5 }, .u.f = 1.0f } } };
static int matrix[2][3] = { 1, 2, 3, 4 };
static point *chain[] = { &origin, &(point) { 5, 6 }, 0 };

int main(void) {
  point a = make(1, 2), b = { .y = 5 }, c = add(a, b);
  printf("%d %d %d %d\n", a.x, a.y, c.x, c.y);
  point d = c; d.x = 100; printf("%d %d %d\n", c.x, d.x, add(add(a, b), make(10, 20)).y);
  rectangle r = { { { 1, 1 }, { 4, 5 } }, "rect" }; printf("%d %d %s %d\n", area(r), r.corner[1].x, r.name, area(unit));
  struct big big = { { 1, 2, 3 }, 1.5 }, twice = fill(fill(big, 1), 2);
  printf("%d %d %g %g\n", total(&big), total(&twice), twice.weight, fill(twice, 0).weight);
  printf("%d %d\n", recursive(10).x, smaller(&a, &c)->y); smaller(&a, &b)->x = -9; printf("%d %d\n", a.x, b.x);
  for (int i = 0; i < 10; i++) printf("%d ", sparse[i]);
  for (unsigned i = 0; i < sizeof inferred / sizeof *inferred; i++) printf("%d ", inferred[i]);
  printf("\n%zu %s %.4s %s %d %s%s%s\n", sizeof text, text, exact, padded, padded[7], lists[0], lists[1], lists[2]);
  printf("%d %d %d %d %d %d %g\n", deep.a, deep.n[0].b[0], deep.n[0].b[1], deep.n[0].u.i, deep.n[1].b[0],
      deep.n[1].b[1], (double) deep.n[1].u.f);
  printf("%d %d %d\n", matrix[0][2], matrix[1][0], matrix[1][2]);
  printf("%d %d %d\n", chain[0]->x, chain[1]->y, chain[2] == 0); chain[0]->x = 3; printf("%d\n", origin.x);
  point *p = &(point) { 7, 8 }; p->x++; printf("%d\n", p->x * p->y);
  point array[3] = { { 1 }, { 2, 3 } }; array[2] = array[1]; array[1].x = 9;
  for (int i = 0; i < 3; i++) printf("%d,%d ", array[i].x, array[i].y);
  point chosen = a.x < 0 ? array[0] : array[1]; printf("%d\n", chosen.x);
  r.corner[0] = r.corner[1] = make(2, 3); printf("%d %d\n", r.corner[0].x, area(r));
  int local[5] = { 1, 2 }; char s[10] = { 'h', 'i' }; printf("%d %d %s %d\n", local[1], local[4], s, s[9]);
  for (int i = 0; i < 3; i++) { point fresh = { i }; int list[] = { i, i * i, fresh.y };
    printf("%d ", list[1] + list[2] + fresh.x); fresh.y = 50; }
  struct { char c; struct big inner; } outer = { 'o', { { 9 }, .weight = 3 } }, other; other = outer;
  other.inner.data[0]++; printf("\n%d %d %g\n", outer.inner.data[0], other.inner.data[0], other.inner.weight);
  return 0;
}
