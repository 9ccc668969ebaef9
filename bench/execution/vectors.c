/* Vectors of three numbers by value: arguments, results, compound literals, members swapped by address. */
#include <stdio.h>
typedef struct { double x, y, z; } vec;
static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec scale(vec a, double k) { vec r = {a.x * k, a.y * k, a.z * k}; return r; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static void swap(double *a, double *b) { double t = *a; *a = *b; *b = t; }
int main(void) {
  vec p = {0, 0, 0}, v = {1, 2, 3};
  double s = 0;
  for (int i = 0; i < SIZE; i++) {
    p = add(p, scale(v, 0.5));
    swap(&v.x, &v.y);
    s += dot(p, v) > 100 ? 1 : 0;
    if (p.x > 1000) p = scale(p, 0.001);
  }
  printf("%.3f %.3f\n", p.x, s);
  return 0;
}
