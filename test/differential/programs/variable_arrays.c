/* Variable-length arrays: of one and more dimensions, as parameters, in loops and behind jumps; blocks of alloca. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int count(int n) { calls++; return n; }

static int sum(int n, const int a[n]) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

static int trace(int n, int m, int grid[n][m]) {
  int s = 0;
  for (int i = 0; i < n && i < m; i++) s += grid[i][i];
  return s + (int)(sizeof grid[0] / sizeof(int));
}

static int effects(int n, int a[n++], int b[count(2)]) { return n + a[0] + b[0]; }
static void forward(int n, int (*rows)[*]);
static void forward(int n, int (*rows)[n]) { rows[1][0] = n; (*rows)[n - 1] = -n; }

static int fill(int n) {
  double values[n];
  for (int i = 0; i < n; i++) values[i] = i / 2.0;
  return (int)(values[n - 1] * 2) + (int)sizeof values;
}

int main(void) {
  int n = 4, m = 3;
  int line[count(n)];
  int grid[n][m], cube[2][n][count(m)];
  typedef short row[m];
  row rows[n];
  int (*pointer)[m] = grid;
  n = 100;
  m = 50;
  printf("%d %d %d %d %d\n", (int)sizeof line, (int)sizeof grid, (int)sizeof cube, (int)sizeof rows,
      (int)sizeof *pointer);
  for (int i = 0; i < 4; i++) line[i] = i * i;
  for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) grid[i][j] = 10 * i + j;
  memset(cube, 0, sizeof cube);
  cube[1][3][2] = 7;
  rows[3][2] = 5;
  printf("%d %d %d %d\n", sum(4, line), trace(4, 3, grid), pointer[2][1], (*(pointer + 3))[2]);
  printf("%d %d %d\n", ((int *)cube)[2 * 4 * 3 - 1], ((short *)rows)[11],
      (int)((char *)(pointer + 2) - (char *)pointer));
  forward(3, grid);
  printf("%d %d %d\n", grid[1][0], grid[0][2], effects(2, line, line + 1));
  pointer = &grid[1];
  printf("%d %d\n", **pointer, pointer[-1][1]);
  for (int i = 1; i < 5; i++) {
    char text[i + 1];
    if (i == 3) continue;
    memset(text, 'a' + i, sizeof text - 1);
    text[i] = 0;
    printf("%s ", text);
  }
  int rounds = 0;
again:;
  int fresh[++rounds];
  fresh[rounds - 1] = rounds;
  if (fresh[rounds - 1] < 4) goto again;
  char *chain = 0;
  for (int i = 0; i < 3; i++) {
    char *block = __builtin_alloca(sizeof(char *) + 1);
    memcpy(block, &chain, sizeof chain);
    block[sizeof chain] = (char)('x' + i);
    chain = block;
  }
  for (; chain; memcpy(&chain, chain, sizeof chain)) putchar(chain[sizeof chain]);
  typeof(line) other;
  other[3] = 9;
  printf(" %d %d %d %d %d\n", rounds, fill(6), calls, (int)sizeof(int[rounds]), other[3] + (int)sizeof other);
  return 0;
}
