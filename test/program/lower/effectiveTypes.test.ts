/** Accesses through lvalues of types that C does not allow for the object (C11 6.5p6-7), in runs. */
import { orderKey } from '../../../src/program/lower/context';
import { Regions } from '../../../src/semantics';
import { typeDependentAccesses } from '../../../src/semantics/pointers/effectiveTypes';
import { programOf, resultOf } from '../programOf';

const before = `
#include <stdlib.h>
#include <string.h>
struct s { int a; float f; short h[3]; };
struct t { float x; int y; };
union u { float f; int i; };
static unsigned char pool[64];
static int mixed(float *f, int *i) { *i = 1; *f = 0; return *i; }
`;

function check(body: string): string {
  const text = `${before}int f(void) { int k = 1; (void)k; ${body} }`;
  const program = programOf(text);
  const accesses = typeDependentAccesses(program, new Regions(program, [], new Set(), 'program'));
  return resultOf(text, { typedAccesses: new Set(accesses.map(orderKey)), off: ['uninitialised'] });
}

test.each([
  ['int v = 5; return *(short *)&v;', '*(short *)&v'],
  ['int v = 5; *(float *)&v = 1; return 0;', '*(float *)&v = 1'],
  ['union u u; return mixed(&u.f, &u.i);', '*i'],
  ['struct s s = { 1, 2, { 3 } }; return ((struct t *)&s)->y;', '((struct t *)&s)->y'],
  ['int a[4] = { 0 }; return (int)*(float *)&a[k];', '*(float *)&a[k]'],
  ['int a[200] = { 0 }; return (int)*(float *)&a[k + 150];', '*(float *)&a[k + 150]'],
  ['void *p = malloc(8); *(float *)p = 1; return *(int *)p;', '*(int *)p'],
  ['void *p = malloc(8); *(long *)p = 1; return ((int *)p)[1];', '((int *)p)[1]'],
  ['int *p = (int *)(pool + 16); *p = 3; return (int)*(float *)p;', '*(float *)p'],
])('%s', (body, access) => expect(check(body)).toBe(`effective-type: ${access}`));

test.each([
  ['int v = 5; return (int)*(unsigned *)&v;', '5'],
  ['void *p = malloc(8); *(float *)p = 1; *(int *)p = 2; return *(int *)p;', '2'],
  ['void *p = malloc(8); *(float *)p = 1; free(p); p = malloc(8); *(int *)p = 2; return *(int *)p;', '2'],
  ['void *p = malloc(8); int v = 7; *(float *)p = 1; memcpy(p, &v, 4); return *(int *)p;', '7'],
  ['union u u; u.f = 1; return u.i != 0;', '1'],
  ['union u u, *p = &u; mixed(&u.f, &(int){ 0 }); p->i = 4; return p->f != 0;', '1'],
  ['int *p = (int *)(pool + 16); *p = 3; return *p + pool[16];', '6'],
])('%s: the types agree', (body, result) => expect(check(body)).toBe(result));
