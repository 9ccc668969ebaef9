/* `#pragma pack` in its forms, against the layout of members, bit-fields and what encloses them. */
#include <stddef.h>
#include <stdio.h>

#pragma pack(push, 1)
struct packet { char tag; int length; short port; unsigned kind : 3, rest : 17; long long stamp; };
#pragma pack(push, outer, 2)
struct halves { char a; int b; double c; long long d : 40; char e; struct packet inner; };
#pragma pack(pop, outer)
union either { char c[3]; int i; };
#pragma pack(pop)
struct plain { char a; int b; struct packet inner; };
#pragma pack(4)
struct four { char a; double b; long long c; } __attribute__((aligned(8)));
#pragma pack()
struct eight { char a; double b; };
#pragma pack(1)
struct bits { unsigned x : 5, y : 5, : 0, z : 5; char a : 5; short b : 5; long long l : 45; int i : 30; };
#pragma pack(2)
struct crossing { unsigned x : 12; unsigned char y : 7; unsigned z : 28, a : 4; char c; int i; };
_Pragma("pack(2)") struct two { char a; int b; };
_Pragma("pack()")

#define SHOW(type, member) printf(#type "." #member " at %d\n", (int)offsetof(type, member))

int main(void) {
  SHOW(struct packet, length);
  SHOW(struct packet, stamp);
  SHOW(struct halves, c);
  SHOW(struct halves, e);
  SHOW(struct halves, inner);
  SHOW(struct plain, inner);
  SHOW(struct four, b);
  SHOW(struct four, c);
  printf("%d %d %d %d\n", (int)sizeof(struct packet), (int)sizeof(struct halves), (int)sizeof(union either),
      (int)sizeof(struct plain));
  printf("%d %d %d\n", (int)sizeof(struct four), (int)sizeof(struct eight), (int)sizeof(struct two));
  printf("%d %d %d\n", (int)_Alignof(struct packet), (int)_Alignof(struct halves), (int)_Alignof(struct two));
  struct packet p = { 'x', 1 << 20, 80, 5, 77777, -1 };
  struct packet copy = p;
  p.rest++;
  copy.length += p.kind;
  printf("%c %d %d %d %d %lld\n", copy.tag, copy.length, copy.port, p.kind, p.rest, copy.stamp);
  struct bits b = { 3, 5, 7, -3, 9, -1099511627776LL, 12345 };
  struct crossing c = { 0x333, 0x44, 0x5555555, 6, 'c', -1 };
  for (unsigned i = 0; i < sizeof b; i++) printf("%02x", ((unsigned char *)&b)[i]);
  for (unsigned i = 0; i < 8; i++) printf(" %02x", ((unsigned char *)&c)[i]);
  printf("\n%d %d %d %d\n", (int)sizeof b, (int)sizeof c, (int)_Alignof(struct bits), (int)_Alignof(struct crossing));
  return 0;
}
