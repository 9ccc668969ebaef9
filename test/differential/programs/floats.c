/* Floating arithmetic in both precisions. */
#include <stdio.h>
#include <math.h>
#include <float.h>

/* The sign of a NaN is the processor's affair. */
static double plain(double x) { return x == x ? x : 0.125; }

static void arithmetic(double a, double b) {
  float x = (float) a, y = (float) b;
  printf("%a %a %a %a | ", a + b, plain(a - b), a * b, a / b);
  printf("%a %a %a %a | ", (double) (x + y), plain(x - y), plain(x * y), plain(x / y));
  printf("%d%d%d%d%d%d | ", a < b, a <= b, a > b, a >= b, a == b, a != b);
  printf("%a %a\n", (double) (x * b), (double) (-x));
}

static double newton(double x) {
  double r = x;
  for (int i = 0; i < 60; i++) r = (r + x / r) / 2;
  return r;
}

static float mean(const float *values, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

int main(void) {
  static const double values[] = { 0, -0.0, 1, -1, 0.1, 3.3, 1e10, -2.5e-7, 1.0 / 3, 123456789.125, 3e38, 1e-310,
      7e307 };
  int count = sizeof values / sizeof values[0];
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      if (values[j] != 0) arithmetic(values[i], values[j]);
  double zero = 0, inf = 1 / zero, nan = inf - inf;
  printf("%d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, !(nan >= 1), nan ? 1 : 0);
  printf("%f %f %d %d\n", inf, -inf, inf > DBL_MAX, -inf < -DBL_MAX);
  printf("%d %d %a %a\n", 1 / -0.0 < 0, -0.0 == 0.0, FLT_EPSILON, DBL_MIN);
  printf("%.15g %.15g %.17g\n", newton(2), newton(1e6), newton(0.5));
  float floats[5] = { 1.1f, 2.2f, 3.3f, 4.4f, 5.5f };
  printf("%.9g\n", mean(floats, 5));
  printf("%g %g %g %g %g %g\n", floor(-1.5), ceil(-1.5), round(2.5), trunc(-2.7), fabs(-3.25), sqrt(2.25));
  printf("%g %g %g %g %g\n", fmod(10, 3), fmod(-10, 3), pow(2, 10), fmin(1, 2), fmax(1, 2));
  printf("%g %g\n", (double) sqrtf(2.25f), (double) fabsf(-1.5f));
  printf("%.3f %8.2f %-8.2f| %+.1e %G %#.0f %05.1f\n", 3.14159, 2.5, 2.5, 12345.678, 1e-10, 3.0, -1.25);
  double d = 5; d++; d += 2; d *= d; d -= 0.5; d /= 3; printf("%.17g ", d--); printf("%d\n", (int) d);
  float f = 0.1f; printf("%d %.10f %.10f\n", f == 0.1, f, (double) f * 10);
  double h = 0x1.8p3, e = .5e2, g = 1e2f; printf("%g %g %g\n", h, e, g);
  int steps = 0; for (float t = 0; t < 1; t += 0.1f) steps++; printf("%d\n", steps);
  printf("%d\n", 0.1 + 0.2 == 0.3 ? 1 : 2);
  return 0;
}
