import { orderDependent, Regions } from '../../../src/semantics';
import { programOf } from '../cPrograms';

const before = `
#include <stdlib.h>
#include <stdio.h>
struct s { int a, b; };
static int counter, other, table[4];
static struct s pair;
static int next(void) { return ++counter; }
static int peek(void) { return counter; }
static int bump(void) { return ++other; }
static int pure(int x) { return x * 2; }
static int first(struct s *p) { return p->a++; }
static void drop(int *p) { free(p); }
static int dropped(int *p) { drop(p); return 1; }
static int later(void) { return next(); }
static struct s made(void) { struct s s = { counter, 1 }; return s; }
int unknown(void);
`;

/** The expressions of `f` whose value depends on the order in which their operands are evaluated. */
function check(body: string): string[] {
  const program = programOf(
    `${before}int f(int i) { int r = 0, x = 1, y = 2; int *p = &x, *q = i ? &x : &y; ${body} return r + x + y; }`,
  );
  return orderDependent(program, new Regions(program, [], new Set(), 'module')).map(({ span }) =>
    span.file.text.slice(span.start, span.end),
  );
}

test.each([
  ['r = next() + peek();', 'next() + peek()'],
  ['r = next() - next();', 'next() - next()'],
  ['r = counter + later();', 'counter + later()'],
  ['r = counter < next();', 'counter < next()'],
  ['table[next()] = peek();', 'table[next()] = peek()'],
  ['table[next() & 3] += next();', 'table[next() & 3] += next()'],
  ['r = pure(next() * peek());', 'next() * peek()'],
  ['printf("%d %d", next(), peek());', 'printf("%d %d", next(), peek())'],
  ['int a[2] = { next(), peek() }; r = a[0];', 'a[2] = { next(), peek() }'],
  ['r = unknown() + bump();', 'unknown() + bump()'],
  ['r = first(&pair) + pair.a;', 'first(&pair) + pair.a'],
  ['r = (*p)++ + *q;', '(*p)++ + *q'],
  ['int *h = malloc(4); *h = 1; r = dropped(h) + *h;', 'dropped(h) + *h'],
  ['pair = (counter++, made()); r = made().a + next();', 'made().a + next()'],
  ['int (*t[2])(int) = { pure, pure }; r = t[next() & 1](peek());', 't[next() & 1](peek())'],
])('%s', (body, expression) => expect(check(body)).toEqual([expression]));

test.each([
  'r = next() + bump();',
  'r = pure(1) + pure(next());',
  'r = next() && peek();',
  'r = (next(), peek());',
  'r = next() ? peek() : next();',
  'table[i++ & 3] = next();',
  'r = unknown() + unknown();',
  'void *a = malloc(1), *b = malloc(2); free(a); free(b);',
  'pair.a = pair.b++ + 1;',
  'r = pair.a++ + pair.b;',
  'printf("%d %d", pure(1), bump());',
  'struct s s = { next(), bump() }; r = s.a;',
  'int a[3] = { x, y, x + y }; r = a[i & 1];',
  'char d[4], *o = d; const char *s = "abc"; while ((*o++ = *s++)) ;',
])('%s is the same in every order', (body) => expect(check(body)).toEqual([]));
