/**
 * Random programs that may do anything undefined that checks are for, and whose truth can be computed all the same:
 * every operation that can go wrong is a macro. provest reads the plain operation; the native run (`CHECKED`) tests it
 * first and notes the line. Two inputs of one byte, 65536 executions.
 *
 * They aim at what proofs of all properties together get wrong: arithmetic that overflows late in a loop, indices that
 * come from the heap, blocks that are freed through another name, pointers moved along arrays, calls that write through
 * them, structures with narrow members, assertions after all that.
 */
import { Random } from '../../src/semantics/concrete/random';

/** What the native run is to have before the program: each macro notes its line and ends the execution. */
export const checkedOperations = `#define CHECKED
#include <limits.h>
struct about { int size, live; };
static struct about abouts[4096];
static int made;
extern void fail(int line);
#define AT(a, i, n) (*({ long i_ = (i); if (i_ < 0 || i_ >= (n)) fail(__LINE__); &(a)[i_]; }))
#define PLUS(a, i, n) ({ long i_ = (i); if (i_ < 0 || i_ > (n)) fail(__LINE__); (a) + i_; })
#define DEREF(p) (*({ int *p_ = (p); if (p_ < a || p_ >= a + 8) fail(__LINE__); p_; }))
#define ADD(x, y) ({ int r_; if (__builtin_add_overflow((int)(x), (int)(y), &r_)) fail(__LINE__); r_; })
#define SUB(x, y) ({ int r_; if (__builtin_sub_overflow((int)(x), (int)(y), &r_)) fail(__LINE__); r_; })
#define MUL(x, y) ({ int r_; if (__builtin_mul_overflow((int)(x), (int)(y), &r_)) fail(__LINE__); r_; })
#define DIV(x, y) ({ int x_ = (x), y_ = (y); if (y_ == 0 || (x_ == INT_MIN && y_ == -1)) fail(__LINE__); x_ / y_; })
#define MOD(x, y) ({ int x_ = (x), y_ = (y); if (y_ == 0 || (x_ == INT_MIN && y_ == -1)) fail(__LINE__); x_ % y_; })
#define NEG(x) ({ int x_ = (x); if (x_ == INT_MIN) fail(__LINE__); -x_; })
#define SHL(x, y) ({ int x_ = (x), y_ = (y); \\
  if (x_ < 0 || y_ < 0 || y_ > 31 || (long)x_ << y_ > INT_MAX) fail(__LINE__); x_ << y_; })
#define SHR(x, y) ({ int x_ = (x), y_ = (y); if (y_ < 0 || y_ > 31) fail(__LINE__); x_ >> y_; })
#define BLOCK(h) int *h = 0; struct about *h##_about = 0
#define MAKE(h, n) ({ int n_ = (n); h = calloc(n_, sizeof *h); \\
  h##_about = &abouts[made++ % 4096]; h##_about->size = n_; h##_about->live = 1; })
#define SAME(h, k) (h = k, h##_about = k##_about)
#define IN(h, i) (*({ long i_ = (i); \\
  if (!h || !h##_about->live || i_ < 0 || i_ >= h##_about->size) fail(__LINE__); &h[i_]; }))
#define DROP(h) ({ if (h && !h##_about->live) fail(__LINE__); if (h) h##_about->live = 0; })
#define CHECK(c) ({ if (!(c)) fail(__LINE__); })
`;

const plainOperations = `#ifndef CHECKED
#define AT(a, i, n) (a)[i]
#define PLUS(a, i, n) ((a) + (i))
#define DEREF(p) (*(p))
#define ADD(x, y) ((x) + (y))
#define SUB(x, y) ((x) - (y))
#define MUL(x, y) ((x) * (y))
#define DIV(x, y) ((x) / (y))
#define MOD(x, y) ((x) % (y))
#define NEG(x) (-(x))
#define SHL(x, y) ((x) << (y))
#define SHR(x, y) ((x) >> (y))
#define BLOCK(h) int *h = 0
#define MAKE(h, n) (h = calloc((n), sizeof *h))
#define SAME(h, k) (h = k)
#define IN(h, i) (h)[i]
#define DROP(h) free(h)
#define CHECK(c) if (!(c)) reach_error()
#endif
`;

export interface CheckedProgram {
  readonly text: string;
  readonly reset: string;
}

export function randomCheckedProgram(seed: number): CheckedProgram {
  return new Generator(new Random(seed)).program();
}

class Generator {
  private fresh = 0;
  /** Loop counters in scope. */
  private readonly counters: string[] = [];

  constructor(private readonly random: Random) {}

  program(): CheckedProgram {
    const text = `#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_schar(void);
extern void reach_error(void);
${plainOperations}struct cell { int x; short y; unsigned char z; };
static int a[8];
static struct cell cells[3];
static int g;
static unsigned w;
static void put(int *to, int x) {
  ${this.pick(['*to = x;', '*to = ADD(*to, x);', 'if (x > 3) *to = x; else g = x;', '{ g = *to; *to = x; }'])}
}
static int get(int i, int d) {
  ${this.pick(['if (i < 0 || i > 7) return d;', 'if (i > 7) return d;', 'if (i & ~7) return d;'])}
  return AT(a, i, 8);
}
static int deep(int n, int x) {
  if (n <= 0) return x;
  return ${this.pick([
    'deep(n - 1, ADD(x, n))',
    'ADD(deep(n - 1, x), 1)',
    'deep(n - 1, x > 5 ? 0 : ADD(x, 1))',
    'MUL(deep(n - 1, x), 2)',
  ])};
}
int main(void) {
  unsigned char u = __VERIFIER_nondet_uchar();
  signed char v = __VERIFIER_nondet_schar();
  int n = ${this.pick(['u & 7', 'u % 5', 'v & 3', 'u', '4'])};
  int r = ${this.pick(['0', 'v', 'u', '1'])};
  int *p = PLUS(a, ${this.pick(['0', '3', 'n & 7', '7'])}, 8);
  BLOCK(h);
  BLOCK(k);
  MAKE(h, ${this.pick(['4', 'ADD(n & 7, 1)', 'ADD(u & 3, 1)'])});
${Array.from({ length: 2 + this.below(5) }, () => this.statement(2)).join('\n')}
  CHECK(${this.goal()});
  return 0;
}
`;
    return {
      text,
      reset:
        'for (int i = 0; i < 8; i++) a[i] = 0; for (int i = 0; i < 3; i++) cells[i] = (struct cell){ 0 }; g = 0; ' +
        'w = 0; made = 0;',
    };
  }

  private statement(depth: number): string {
    switch (this.below(depth > 0 ? 19 : 12)) {
      case 0:
      case 1:
        return `  r = ${this.number(2)};`;
      case 2:
        return `  AT(a, ${this.index('8')}, 8) = ${this.number(1)};`;
      case 3:
        return `  IN(h, ${this.index('size')}) = ${this.number(1)};`;
      case 4:
        return this.pick([
          '  SAME(k, h);',
          '  DROP(h);',
          '  DROP(k);',
          `  MAKE(h, ADD(${this.pick(['n', 'u', 'r'])} & 7, 1));`,
          '  if (k) r = IN(k, 0);',
          '  if (u & 1) SAME(k, h);',
          `  if (${this.condition()}) DROP(h);`,
          '  SAME(h, k);',
        ]);
      case 5:
        return this.pick([
          `  p = PLUS(a, ${this.index('8')}, 8);`,
          '  p = p + 1;',
          '  p = p - (n & 1);',
          '  if (p < a + 7) p = p + 1;',
          `  DEREF(p) = ${this.number(1)};`,
          '  r = DEREF(p);',
        ]);
      case 6:
        return this.pick([
          `  AT(cells, ${this.index('3')}, 3).${this.pick(['x', 'y', 'z'])} = ${this.number(1)};`,
          '  cells[1] = cells[0];',
          `  cells[0].z = ADD(cells[0].z, ${this.number(0)});`,
          '  cells[2].y++;',
          '  cells[0].x = cells[1].y;',
        ]);
      case 7:
        return this.pick([
          `  g = ${this.number(1)};`,
          `  put(&AT(a, (${this.index('8')}) & 7, 8), ${this.number(1)});`,
          `  put(&r, ${this.number(0)});`,
          '  put(&n, n & 7);',
          '  put(&cells[1].x, r);',
        ]);
      case 8:
        return `  r = get(${this.number(0)}, ${this.number(0)});`;
      case 9:
        return `  r = deep(${this.pick(['n & 7', '3', 'u >> 5'])}, ${this.number(0)});`;
      case 10:
        return this.pick(['  w = w * 3 + u;', '  w -= (unsigned)n;', '  w = (unsigned)r;', '  w++;', '  w = w >> 3;']);
      case 11:
        return `  CHECK(${this.goal()});`;
      case 12:
      case 13:
      case 14: {
        const i = `i${this.fresh++}`;
        this.counters.push(i);
        const body = [
          this.statement(depth - 1),
          this.pick([
            `  if (${this.condition()}) break;`,
            `  r = ADD(r, ${i});`,
            `  AT(a, ${this.pick([i, `${i} & 7`, `${i} % 8`])}, 8) = ${i};`,
            `  r = ADD(r, AT(a, ${i} & 7, 8));`,
            this.statement(0),
          ]),
        ];
        this.counters.pop();
        return (
          `  for (int ${i} = ${this.pick(['0', '0', '1'])}; ${i} < ${this.pick(['8', '4', 'n0', 'u0', '9'])}; ` +
          `${i}++) {\n${body.join('\n')}\n  }`
        ).replace(/n0|u0/, (which) => (which === 'n0' ? '(n & 15)' : '(u >> 4)'));
      }
      case 15:
      case 16:
        return (
          `  if (${this.condition()}) {\n${this.statement(depth - 1)}\n  } else {\n${this.statement(depth - 1)}\n  ` +
          '}'
        );
      case 17:
        return (
          `  switch (${this.pick(['n', 'r & 3', 'u & 3'])}) {\n  case 0: ${this.statement(0).trim()}\n  case 1: ` +
          `${this.statement(0).trim()} break;\n  default: ${this.statement(0).trim()}\n  }`
        );
      default:
        return `  if (${this.condition()}) return 0;`;
    }
  }

  private index(room: '8' | '3' | 'size'): string {
    const masked =
      room === '3'
        ? ['(u & 1)', '(unsigned)r % 3', 'u % 3', '2']
        : room === 'size'
          ? ['0', 'n & 7', '(u & 3)', '(n & 3)']
          : ['(r & 7)', 'u & 7', '(unsigned)g % 8', 'n & 7', '7'];
    return this.pick([...masked, ...masked, 'n', 'r', ...this.counters, 'SUB(n, 1)', 'u >> 5', 'g']);
  }

  /** An int. */
  private number(depth: number): string {
    if (depth === 0)
      return this.pick([
        'u',
        'v',
        'n',
        'r',
        'g',
        'cells[1].x',
        'cells[0].y',
        'cells[0].z',
        'a[2]',
        '(int)w',
        '(int)(w & 255)',
        String(this.below(12)),
        `-${1 + this.below(3)}`,
        '2147483647',
        ...this.counters,
        ...this.counters,
      ]);
    const [x, y] = [this.number(depth - 1), this.number(0)];
    switch (this.below(12)) {
      case 0:
      case 1:
      case 2:
        return `ADD(${x}, ${y})`;
      case 3:
        return `SUB(${x}, ${y})`;
      case 4:
        return `MUL(${x}, ${this.pick(['2', '3', y])})`;
      case 5:
        return `DIV(${x}, ${this.pick(['2', '7', y, '-1'])})`;
      case 6:
        return `MOD(${x}, ${this.pick(['4', y])})`;
      case 7:
        return `NEG(${x})`;
      case 8:
        return `${this.pick(['SHL', 'SHR'])}(${x}, ${this.pick(['1', '4', 'n & 7', y])})`;
      case 9:
        return `(${x} ${this.pick(['&', '|', '^'])} ${this.pick(['15', y])})`;
      case 10:
        return `(${this.condition()} ? ${x} : ${y})`;
      default:
        return `(${this.pick(['signed char', 'unsigned char', 'short', 'unsigned short'])})${x}`;
    }
  }

  private condition(): string {
    return this.pick([
      `${this.number(0)} ${this.pick(['<', '>', '==', '!=', '<=', '>='])} ${this.number(0)}`,
      `u & ${1 << this.below(8)}`,
      'r > 0',
      'v < 0',
      'h != 0',
      'k == h',
      'w > 7u',
      'p == a',
      `n ${this.pick(['<', '>'])} ${this.below(8)}`,
    ]);
  }

  private goal(): string {
    return this.pick([
      `r ${this.pick(['!=', '<', '>='])} ${this.number(0)}`,
      `r <= ${this.pick(['300', '70000', '255'])}`,
      'a[0] <= a[1]',
      'a[3] >= 0',
      'g >= -128',
      'g == 0 || r != g',
      'cells[0].y < 30000',
      'cells[1].z <= cells[1].x',
      'w < 70000u',
      'n < 8',
      'n >= 0',
      'r >= v',
      'r > -1000000',
      'a[2] != 5',
      'a[7] == 7 || a[7] == 0',
      `u != ${this.below(256)} || v != ${this.below(128)}`,
    ]);
  }

  private below(n: number): number {
    return this.random.below(n);
  }
  private pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
