/* Sizes, offsets and bytes of structures, unions and arrays. */
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <stdint.h>

struct mixed { char a; int b; char c; double d; short e; char f[3]; void *g; };
struct nested { char tag; struct { short x; long y; } inner; struct mixed m[2]; unsigned char last; };
union any { char c; short s; int i; long l; float f; double d; unsigned char bytes[12]; struct { short low, high; }
  halves; };
struct with_union { char kind; union { int number; char text[6]; }; struct { int x, y; }; };
struct flexible { int count; short items[]; };
struct empty_tail { long a; char b; };
typedef struct { struct empty_tail t; char c; } wrapper;

static void dump(const char *name, const void *data, size_t size) {
  const unsigned char *p = data;
  printf("%s:", name);
  for (size_t i = 0; i < size; i++) printf(" %02x", p[i]);
  printf("\n");
}

int main(void) {
  printf("%zu %zu %zu %zu %zu %zu %zu\n", offsetof(struct mixed, a), offsetof(struct mixed, b),
      offsetof(struct mixed, c), offsetof(struct mixed, d), offsetof(struct mixed, e),
         offsetof(struct mixed, f), offsetof(struct mixed, g));
  printf("%zu %zu %zu %zu\n", sizeof(struct mixed), sizeof(struct nested), sizeof(union any),
      sizeof(struct with_union));
  printf("%zu %zu %zu %zu\n", offsetof(struct nested, inner.y), offsetof(struct nested, m[1].d),
      offsetof(struct nested, last), _Alignof(struct nested));
  printf("%zu %zu %zu\n", sizeof(struct flexible), offsetof(struct flexible, items), sizeof(wrapper));
  printf("%zu %zu\n", sizeof(int[3][4]), sizeof((char[]) {1, 2, 3}));

  struct mixed m;
  memset(&m, 0, sizeof m);
  m.a = 'A'; m.b = -2; m.c = 'C'; m.d = 1.5; m.e = 0x1234; m.f[0] = 1; m.f[2] = 3;
  dump("mixed", &m, offsetof(struct mixed, g));

  union any u;
  memset(&u, 0, sizeof u);
  u.l = 0x1122334455667788; printf("%x %x %x %x %x\n", u.i, (unsigned short) u.s, u.c, u.bytes[3],
      (unsigned short) u.halves.high);
  u.d = -1.0; dump("double", &u, 8);
  u.f = 1.0f; printf("%08x\n", (unsigned) u.i);
  u.bytes[0] = 0; u.bytes[1] = 0; u.bytes[2] = 0x20; u.bytes[3] = 0x41; printf("%g\n", (double) u.f);

  struct with_union w = { .kind = 't', .text = "hello", .x = 1, .y = 2 };
  printf("%c %s %d %d %x\n", w.kind, w.text, w.x, w.y, (unsigned) w.number);
  w.number = 0x44434241; printf("%.4s\n", w.text);

  int grid[3][4];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = 10 * i + j;
  int *flat = &grid[0][0];
  printf("%d %d %d %td\n", flat[3], *(*(grid + 2) + 1), (*(grid + 1))[2], &grid[2][3] - &grid[0][0]);
  dump("grid", grid[1], sizeof grid[1]);

  uint32_t word = 0x01020304; unsigned char bytes[4]; memcpy(bytes, &word, 4); dump("word", bytes, 4);
  uint64_t big; unsigned char source[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }; memcpy(&big, source, 8);
  printf("%llx\n", (unsigned long long) big);
  int64_t negative = -2; dump("negative", &negative, sizeof negative);
  float f = -0.0f; dump("float", &f, sizeof f);
  _Alignas(int __attribute__((aligned(16)))) static char wide; int aligned __attribute__((aligned(16))), plain;
  printf("%zu %zu %zu %zu %d\n", __alignof__(wide), __alignof__(aligned), __alignof__(plain),
      sizeof wide + sizeof aligned, (int) ((uintptr_t) &wide % 16));
  return 0;
}
