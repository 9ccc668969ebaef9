/**
 * Random programs that may read what was never written: members, elements, blocks, through copies, calls and loops.
 * provest reads plain assignments and reads; in the native run (`TRACKED`) each is a macro that keeps a flag per byte,
 * tests it and notes the line. Indices stay in their arrays. Two inputs of one byte, 65536 executions.
 */
import { Random } from '../../src/semantics/concrete/random';

/**
 * What the native run is to have before the program. Flags are kept by address, which may not meet: objects are few.
 */
export const trackedOperations = `#define TRACKED
#include <stdlib.h>
#include <string.h>
static unsigned char flags[1 << 24];
extern void fail(int line);
static void mark(const volatile void *p, unsigned long n, int to) {
  for (unsigned long i = 0; i < n; i++) flags[((unsigned long)p + i) & 0xffffff] = to;
}
static void test(const volatile void *p, unsigned long n, int line) {
  for (unsigned long i = 0; i < n; i++) if (!flags[((unsigned long)p + i) & 0xffffff]) fail(line);
}
static void take(const volatile void *to, const volatile void *from, unsigned long n) {
  unsigned char taken[256];
  for (unsigned long i = 0; i < n; i++) taken[i] = flags[((unsigned long)from + i) & 0xffffff];
  for (unsigned long i = 0; i < n; i++) flags[((unsigned long)to + i) & 0xffffff] = taken[i];
}
#define NEW(type, name, length) type name length; mark(&name, sizeof name, 0)
#define PUT(place, value) ({ __typeof__(place) v_ = (value); \\
  __typeof__(place) *p_ = &(place); *p_ = v_; mark(p_, sizeof *p_, 1); })
#define GET(place) ({ __typeof__(place) *p_ = &(place); test(p_, sizeof *p_, __LINE__); *p_; })
#define COPY(to, from) ({ __typeof__(to) *t_ = &(to), *f_ = &(from); \\
  take(t_, f_, sizeof *t_); memmove(t_, f_, sizeof *t_); })
#define MOVE(to, from, n) ({ take(to, from, n); memmove(to, from, n); })
#define ZERO(to, n) ({ memset(to, 0, n); mark(to, n, 1); })
#define MAKE(name, n) ({ name = malloc((n) * sizeof *name); mark(name, (n) * sizeof *name, 0); })
#define CLEAN(name, n) ({ name = calloc((n), sizeof *name); mark(name, (n) * sizeof *name, 1); })
#define GROW(name, before, n) ({ __typeof__(name) old_ = name; \\
  name = malloc((n) * sizeof *name); mark(name, (n) * sizeof *name, 0); \\
  take(name, old_, (before) * sizeof *name); memcpy(name, old_, (before) * sizeof *name); free(old_); })
`;

const plainOperations = `#ifndef TRACKED
#define NEW(type, name, length) type name length
#define PUT(place, value) ((place) = (value))
#define GET(place) (place)
#define COPY(to, from) ((to) = (from))
#define MOVE(to, from, n) memmove(to, from, n)
#define ZERO(to, n) memset(to, 0, n)
#define MAKE(name, n) (name = malloc((n) * sizeof *name))
#define CLEAN(name, n) (name = calloc((n), sizeof *name))
#define GROW(name, before, n) (name = realloc(name, (n) * sizeof *name))
#endif
`;

export interface WritingProgram {
  readonly text: string;
  readonly reset: string;
}

export function randomWritingProgram(seed: number): WritingProgram {
  return new Generator(new Random(seed)).program();
}

class Generator {
  private fresh = 0;
  private readonly counters: string[] = [];

  constructor(private readonly random: Random) {}

  program(): WritingProgram {
    const text = `#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_schar(void);
${plainOperations}struct pair { int x; short y; };
static struct pair kept[3];
static int total[4];
static int fill(int *out, int c) {
  ${this.pick([
    'PUT(*out, c); return 1;',
    'if (c > 2) { PUT(*out, c); return 1; } return 0;',
    'if (c & 1) PUT(*out, 7); return c & 1;',
    'if (c < 0) return 0; PUT(*out, c); return c;',
  ])}
}
static void set(struct pair *p, int c) {
  ${this.pick([
    'PUT(p->x, c); PUT(p->y, 1);',
    'PUT(p->x, c);',
    'if (c) ZERO(p, sizeof *p); else PUT(p->y, 2);',
    'PUT(p->y, (short)c); if (c > 0) PUT(p->x, 3);',
  ])}
}
int main(void) {
  unsigned char u = __VERIFIER_nondet_uchar();
  signed char v = __VERIFIER_nondet_schar();
  int n = ${this.pick(['u & 3', 'v & 3', '3', 'u % 3'])};
  unsigned r = 0;
  NEW(int, x, );
  NEW(int, a, [4]);
  NEW(int, b, [4]);
  NEW(struct pair, p, );
  NEW(struct pair, q, [2]);
  int *h;
  ${this.pick(['MAKE(h, 4);', 'MAKE(h, 4);', 'CLEAN(h, 4);'])}
${Array.from({ length: 4 + this.below(6) }, () => this.statement(2)).join('\n')}
  r ^= (unsigned)GET(${this.place()});
  free(h);
  return (int)(r & 127);
}
`;
    return {
      text,
      reset:
        'memset(kept, 0, sizeof kept); mark(kept, sizeof kept, 1); memset(total, 0, sizeof total); mark(total, ' +
        'sizeof total, 1);',
    };
  }

  private statement(depth: number): string {
    switch (this.below(depth > 0 ? 15 : 10)) {
      case 0:
      case 1:
      case 2:
        return `  PUT(${this.place()}, ${this.value()});`;
      case 3:
        return `  r ^= (unsigned)GET(${this.place()});`;
      case 4:
        return this.pick([
          '  COPY(q[1], p);',
          '  COPY(q[n & 1], p);',
          '  COPY(kept[n % 3], p);',
          '  COPY(p, kept[1]);',
          '  COPY(kept[0], q[u & 1]);',
          '  COPY(p, q[0]);',
        ]);
      case 5:
        return this.pick([
          '  MOVE(a, b, sizeof a);',
          '  MOVE(b, a + 1, 3 * sizeof *a);',
          '  MOVE(h, a, 2 * sizeof *a);',
          '  MOVE(total, b, (n & 3) * sizeof *b);',
          '  MOVE(a, total, 4 * sizeof *a);',
          '  MOVE(&p, &q[1], sizeof p);',
          '  MOVE(a, h, (n + 1) * sizeof *a);',
        ]);
      case 6:
        return this.pick([
          '  ZERO(&p, sizeof p);',
          '  ZERO(a, sizeof a);',
          '  ZERO(b, n * sizeof *b);',
          '  ZERO(h, 2 * sizeof *h);',
          '  ZERO(q, sizeof q);',
          '  ZERO(&q[0].x, sizeof q[0].x);',
        ]);
      case 7:
        return this.pick([
          `  fill(&x, ${this.value()});`,
          '  if (fill(&x, v)) r ^= (unsigned)GET(x);',
          `  fill(&a[n & 3], ${this.value()});`,
          '  fill(h, u);',
          `  r += (unsigned)fill(&b[1], ${this.value()});`,
        ]);
      case 8:
        return this.pick([
          `  set(&p, ${this.value()});`,
          '  set(&q[1], n);',
          '  set(&kept[2], v);',
          '  set(&q[u & 1], 1);',
        ]);
      case 9:
        return this.pick([
          '  free(h); MAKE(h, 4);',
          '  GROW(h, 4, 4);',
          '  if (u & 8) { free(h); CLEAN(h, 4); }',
          '  PUT(x, (int)(r & 7));',
        ]);
      case 10:
      case 11: {
        const i = `i${this.fresh++}`;
        this.counters.push(i);
        const body = [
          this.statement(depth - 1),
          this.pick([
            `  PUT(a[${i}], ${i});`,
            `  PUT(h[${i}], ${i});`,
            `  r ^= (unsigned)GET(a[${i}]);`,
            `  if (${this.condition()}) break;`,
            `  { NEW(int, y, ); if (${i} > 1) PUT(y, ${i}); ` +
              `${this.pick(['r ^= (unsigned)GET(y);', `if (${i} > 1) r ^= (unsigned)GET(y);`])} }`,
          ]),
        ];
        this.counters.pop();
        return `  for (int ${i} = 0; ${i} < ${this.pick(['4', 'n', 'n + 1', '3'])}; ${i}++) {\n${body.join('\n')}\n  }`;
      }
      case 12:
      case 13:
        return (
          `  if (${this.condition()}) {\n${this.statement(depth - 1)}\n  } else {\n${this.statement(depth - 1)}\n  ` +
          '}'
        );
      default:
        return `  if (${this.condition()}) { free(h); return 0; }`;
    }
  }

  private place(): string {
    const at = this.pick([...this.counters, ...this.counters, '0', '1', 'n & 3', 'u & 3', '3']);
    return this.pick([
      'x',
      `a[${at}]`,
      `a[${at}]`,
      `b[${at}]`,
      `h[${at}]`,
      `h[${at}]`,
      'p.x',
      'p.y',
      'q[0].x',
      'q[1].y',
      'q[u & 1].x',
      'kept[1].x',
      'kept[n % 3].y',
      `total[${at}]`,
    ]);
  }

  private value(): string {
    return this.pick(['u', 'v', 'n', '1', '5', '(int)(r & 15)', ...this.counters]);
  }

  private condition(): string {
    return this.pick([
      `u & ${1 << this.below(8)}`,
      `n ${this.pick(['<', '>', '=='])} ${this.below(4)}`,
      'v < 0',
      'r & 1',
      `u > ${this.below(256)}`,
    ]);
  }

  private below(n: number): number {
    return this.random.below(n);
  }
  private pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
