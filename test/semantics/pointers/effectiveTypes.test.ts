/** The accesses at which a compiler may take one object for two, because of their types. */
import { Regions } from '../../../src/semantics';
import { typeDependent } from '../../../src/semantics/pointers/effectiveTypes';
import { programOf } from '../cPrograms';

const before = `
#include <stdlib.h>
#include <string.h>
struct s { int a; float f; short h[3]; };
struct t { float x; int y; };
union u { float f; int i; };
enum e { one };
static int probe(int *i, short *s) { *i = 1; *s = 2; return *i; }
static int mixed(float *f, int *i) { *i = 1; *f = 0; return *i; }
static unsigned char pool[64];
`;

function check(body: string): string[] {
  const program = programOf(`${before}int f(int k) { ${body} }`);
  return typeDependent(program, new Regions(program, [], new Set(), 'module')).map((span) =>
    span.file.text.slice(span.start, span.end),
  );
}

test.each([
  ['int v = 5; return *(short *)&v;', ['*(short *)&v']],
  ['int v = 5; short *s = (short *)&v; return s[1];', ['s[1]']],
  ['int v = 5; void *p = &v; short *s = p; return *s;', ['*s']],
  ['float v = 5; return *(unsigned *)&v;', ['*(unsigned *)&v']],
  ['long v = 5; return (int)*(long long *)&v;', ['*(long long *)&v']],
  ['union u u; return mixed(&u.f, &u.i);', ['*i = 1', '*f = 0', '*i']],
  ['int v; return probe(&v, (short *)&v);', ['*i = 1', '*s = 2', '*i']],
  ['struct s s = { 1, 2, { 3 } }; return ((struct t *)&s)->y;', ['((struct t *)&s)->y']],
  ['struct s s = { 1, 2, { 3 } }; return *(int *)&s.h[1];', ['*(int *)&s.h[1]']],
  ['int a[4] = { 0 }; return (int)*(float *)&a[k & 3];', ['*(float *)&a[k & 3]']],
  ['void *p = malloc(8); *(float *)p = 1; return *(int *)p;', ['*(float *)p = 1', '*(int *)p']],
])('%s', (body, expected) => expect(check(body)).toEqual(expected));

test.each([
  'int v = 5; return *(unsigned char *)&v + *(char *)&v;',
  'int v = 5; return (int)*(unsigned *)&v;',
  'enum e v = one; return (int)*(unsigned *)&v;',
  'int v = 5; void *p = &v; int *q = p; return *q;',
  'union u u; u.f = 1; return u.i;',
  'union u u, *p = &u; p->f = 1; return p->i;',
  'float v = 5; int i; memcpy(&i, &v, 4); return i;',
  'struct s *p = malloc(sizeof *p); p->a = 1; p->f = 2; p->h[0] = 3; return p->a;',
  'struct s s = { 1, 2, { 3 } }; return *(int *)&s + *(short *)((char *)&s + 8);',
  'int *p = malloc(4); float *q = malloc(4); *p = 1; *q = 2; return *p;',
  'int *p = (int *)(pool + 16); *p = 3; return *p;',
])('%s: the types agree', (body) => expect(check(body)).toEqual([]));
