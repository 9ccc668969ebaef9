/** Programs of our own with the shape of the paper's figures; for tests and `bench/`. */

/** Figure 1: a total that no path brings above its bound, since two branches exclude each other. */
export const exclusive = `void foo(int key) {
  int total;
  total = 0;
  if (nondet()) total = total + 1;
  if (key >= 1) total = total + 2;
  if (key < 1) total = total + 4;
  if (total > 5) error();
}`;

/** Figure 2: one constraint has to be locked at the loop, for the first path alone. */
export const locked = `void foo(int last) {
  int held, next, on;
  held = 0;
  next = last + 1;
  on = 1;
  while (next != last) {
    held = 1;
    last = next;
    if (nondet()) { held = 0; next = next + 1; }
  }
  if (!on) held = 0;
  if (held == 0) error();
}`;

/** Figure 3(b): the loop keeps half of an equation, `y >= 0`. */
export const counted = `void foo(int limit, int y) {
  int n;
  assume(y == 0);
  n = 0;
  while (n < limit) { assume(y < 1000); y = y + 1; n = n + 1; }
  if (y < 0 || n < limit) error();
}`;

/** Figure 3(d): both halves call one function. */
export const called = (count: number, bound: number): string =>
  [
    'static int chosen(int k) { int r; if (k > 0) r = 2; else r = 2; return r; }',
    'void foo(int k) {',
    '  int x, s = 0;',
    '  if (nondet()) x = chosen(k) - 1; else x = chosen(k + 1) - 1;',
    ...Array.from({ length: count }, () => '  if (nondet()) s = s + 1; else s = s + x;'),
    `  if (s > ${bound}) error();`,
    '}',
  ].join('\n');

/** Figure 3(c): `count` branches that add one or two, and a sentinel that makes half of the paths irrelevant. */
export const additions = (count: number, bound = 2 * count): string =>
  [
    'void foo(void) {',
    '  int sum, mark;',
    '  sum = 0;',
    '  if (nondet()) mark = 0; else mark = 999;',
    ...Array.from({ length: count }, () => '  if (nondet()) sum = sum + 1; else sum = sum + 2;'),
    `  if (sum + mark > ${bound} && mark == 0) error();`,
    '}',
  ].join('\n');
