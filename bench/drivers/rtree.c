#include <stdio.h>
#include "rtree.h"
static unsigned state = 99;
static double any(double below) { state = state * 1664525 + 1013904223; return (state >> 8) / 16777216.0 * below; }
static bool add(const double *min, const double *max, const void *data, void *udata) { (void)min; (void)max;
  *(unsigned long *)udata += (unsigned long)*(const int *)data; return true; }
static bool few(const double *min, const double *max, const void *data, void *udata) { (void)data;
  printf(" %.3f-%.3f", min[0], max[1]); return --*(int *)udata > 0; }
int main(void) {
  static int items[600]; static double low[600][2], high[600][2];
  struct rtree *t = rtree_new();
  for (int i = 0; i < 600; i++) { items[i] = i; for (int d = 0; d < 2; d++) { low[i][d] = any(100);
      high[i][d] = low[i][d] + any(3); } rtree_insert(t, low[i], high[i], &items[i]); }
  struct rtree *copy = rtree_clone(t);
  for (int round = 0; round < 6; round++) {
    double min[2] = { round * 15.0, 10 }, max[2] = { round * 15.0 + 20, 60 }; unsigned long sum = 0; int left = 3;
    rtree_search(t, min, max, add, &sum); printf("%zu %lu:", rtree_count(t), sum);
    rtree_search(t, min, max, few, &left);
    sum = 0; rtree_scan(copy, add, &sum); printf(" %lu\n", sum);
    for (int i = round; i < 600; i += 7) rtree_delete(t, low[i], high[i], &items[i]);
  }
  rtree_free(t); rtree_free(copy);
  return 0;
}
