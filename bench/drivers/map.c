#include <stdio.h>
#include "map.h"
int main(void) {
  map_int_t m; char key[20]; const char *k; map_iter_t it; int n = 0; long sum = 0;
  map_init(&m);
  for (int i = 0; i < 500; i++) { sprintf(key, "key%d", i * 13 % 700); map_set(&m, key, i); }
  for (int i = 0; i < 300; i += 2) { sprintf(key, "key%d", i); map_remove(&m, key); }
  for (int i = 0; i < 10; i++) { int *v; sprintf(key, "key%d", i); v = map_get(&m, key); printf("%d ", v ? *v : -1); }
  it = map_iter(&m);
  while ((k = map_next(&m, &it))) { n++; sum += *map_get(&m, k); }
  printf("%d %ld\n", n, sum);
  map_deinit(&m);
  return 0;
}
