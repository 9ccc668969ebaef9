/**
 * A module with checks that hold at once, and one that takes longer than anybody waits: the cubes of two numbers are
 * never a cube, 64 bits wide.
 */
export const hard = `static unsigned long a, b, c;
void set(unsigned long x, unsigned long y, unsigned long z) { a = x; b = y; c = z; }
int first(int i) { static int t[4]; return i < 0 || i > 3 ? 0 : t[i]; }
int fermat(void) {
  if (a == 0 || b == 0 || a > 2000000 || b > 2000000 || c > 2642245) return 0;
  if (a * a * a + b * b * b == c * c * c) return 1 / 0;
  return 1;
}
`;
