/**
 * Random programs without undefined or unspecified behaviour around three rules of C that are easily got wrong:
 *
 * - operands of `sizeof` and `typeof`, and type names, are evaluated if their type has a variable length (6.5.3.4p2);
 * - variable arguments are taken one after the other, each with its type (7.16.1.1), through pointers and from copies;
 * - assignments have side effects in the order that `,`, `&&`, `||` and `?:` give (6.5).
 *
 * A statement changes each variable at most once, and reads one that it changes only behind a sequence point. Programs
 * print what they computed.
 */
import { Random } from '../../src/semantics/concrete/random';

const before = `#include <stdarg.h>
#include <stdio.h>
struct pair { int a, b; };
#define SHOW note(x); note(y + z); note(t.a * 3 + t.b); note(w[0] + w[1] * 5 + w[2] * 7 + w[3] * 11); \\
  note(b.low + b.high); note(v[0] + v[1] + v[2] + v[3]); BOUND
#define BOUND x &= 1023; y &= 1023; z &= 1023; t.a &= 255; t.b &= 255; v[0] &= 255; v[1] &= 255; v[3] &= 255; \\
  w[0] &= 63; w[1] &= 63; w[2] &= 63; w[3] &= 63; *p &= 63;
static long sum;
static void note(long x) { sum = (long)((unsigned long)sum * 31 + (unsigned long)x); }
static int calls;
static int counted(int x) { calls++; return x; }
static int lengths(int n, int a[n++][4]) { return n * 100 + (int)sizeof a[0]; }
static long one(char type, va_list *list) {
  switch (type) {
  case 'i': return va_arg(*list, int);
  case 'u': return va_arg(*list, unsigned);
  case 'l': return va_arg(*list, long);
  case 'd': return (long)(va_arg(*list, double) * 4);
  case 'p': return *va_arg(*list, int *);
  case 's': return va_arg(*list, char *)[1];
  default: { struct pair p = va_arg(*list, struct pair); return p.a * 3 + p.b; }
  }
}
static unsigned long ahead(const char *types, va_list list) {
  va_list own;
  va_copy(own, list);
  unsigned long x = 0;
  for (; *types; types++) x = x * 5 + (unsigned long)one(*types, &own);
  va_end(own);
  return x;
}
static unsigned long take(const char *types, int how, ...) {
  va_list list, copy;
  unsigned long x = 0;
  va_start(list, how);
  va_copy(copy, list);
  for (const char *t = types; *t; t++) {
    if (how & 1) x ^= ahead(t, list);
    x = x * 7 + (unsigned long)one(*t, &list);
  }
  if (how & 2)
    for (const char *t = types; *t; t++)
      x = x * 3 + (unsigned long)one(*t, how & 4 ? &copy : &(va_list *){ &copy }[0][0]);
  va_end(copy);
  va_end(list);
  return x;
}
`;

class Writer {
  private readonly random: Random;
  constructor(seed: number) {
    this.random = new Random(seed);
  }

  private below(bound: number): number {
    return this.random.below(bound);
  }
  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** The variables that a statement has not used yet. */
  private free: string[] = [];
  private fresh(): string {
    return this.free.splice(this.below(this.free.length), 1)[0] ?? '7';
  }

  /** A lvalue of type int[m], with a side effect or without. */
  private row(): string {
    const step = this.pick(['x++', '++x', 'x += 1', 'counted(1)', 'x', '(x++, 1)', 'x ? 1 : 0']);
    return this.pick([`a[${step}]`, `(*(a + (${step})))`, `(*(x++, &a[1]))`, `(*(int (*)[x += m])a[0])`, `a[1]`]);
  }

  private ofLengths(): string {
    const row = this.row();
    const operand = this.pick([
      `sizeof ${row}`,
      `sizeof(${row}[0])`,
      `sizeof(int[m + 0 * x++])`,
      `sizeof(char[sizeof(${row})])`,
      `sizeof(struct pair[2])`,
      `sizeof(${row}[counted(0)]++)`,
      `_Alignof(int[x++])`,
      `sizeof(counted(2))`,
      `sizeof(__typeof__(${row}))`,
      `lengths(${3 + this.below(3)}, (void *)a)`,
    ]);
    const use = this.pick([
      `note(${operand});`,
      `note(y > 100 ? 0 : (long)${operand});`,
      `if (y > 100 && ${operand}) note(1); else note(2);`,
      `{ __typeof__(${row}) h; h[0] = 3; note((long)sizeof h + h[0]); }`,
      `{ __typeof__(${row}[0]) h = 4; note(h); }`,
      `{ typedef int row[m]; m++; row r; r[0] = 1; note((long)sizeof r + r[0]); m--; }`,
      `{ int (*p)[m] = a, (*q)[m] = &a[2]; p++; note(q - p); note((char *)q - (char *)p); }`,
      `{ int (*p)[n][m] = &a; note((*p)[1][x & 1] + (long)sizeof *p + (long)sizeof **p); }`,
      `for (int k = 1; k < 4; k++) { char c[k][m]; c[k - 1][0] = (char)k; note((long)sizeof c + c[k - 1][0]); }`,
    ]);
    return `x = ${this.below(2)}; ${use} note(x); note(calls);`;
  }

  private ofArguments(): string {
    const kinds: Readonly<Record<string, readonly string[]>> = {
      i: ['x', '-3', `'c'`, '(short)y', '(char)z', 'counted(4)', '(_Bool)5', 'b.low'],
      u: ['3u', '(unsigned)y', '7'],
      l: ['5l', '(long)x << 33', 'sum'],
      d: ['1.5', '2.25f', '(float)x', '(double)z'],
      p: ['&x', '(int *)&y', '&a[1][0]', 'v + 2'],
      s: ['"ab"', 'text', '(void *)text'],
      t: ['t', '(struct pair){ 1, x }'],
    };
    const chosen = Array.from({ length: this.below(6) }, () => this.pick(Object.keys(kinds)));
    const values = chosen.map((kind) => this.pick(kinds[kind]!));
    return `note((long)take("${chosen.join('')}", ${this.below(8)}${values.map((value) => `, ${value}`).join('')}));`;
  }

  private ofOrder(): string {
    this.free = ['x', 'y', 'z', 't.a', 't.b', 'v[0]', 'v[1]', 'v[3]', '(*p)'];
    const [to, from, other, last] = [this.fresh(), this.fresh(), this.fresh(), this.fresh()];
    const effect = this.pick([`${from}++`, `--${from}`, `(${from} += 3)`, `(${from} = ${other})`]);
    const assign = this.pick(['=', '+=', '-=', '^=', '|=']);
    const statement = this.pick([
      `${to} ${assign} ${effect} + ${last};`,
      `${to} ${assign} (${effect}, ${from} + ${last});`,
      `${to} ${assign} ${effect} ? ${from} : ${from} + ${last};`,
      `${to} = ${effect} && ${from} > ${last};`,
      `${to} = (${effect} || ${last}++) + ${other};`,
      `${to} ${assign} (${effect}) + counted(${last}) + counted(2);`,
      `${to} = ${from} = ${other} = ${last} + 1;`,
      `w[${from}++ & 3] ${assign} ${other} + ${last};`,
      `w[(${from}++, ${from} & 3)]${this.pick(['++', '--'])};`,
      `{ int *q = &w[${from} & 1]; *q++ ${assign} ${other}; *q ${assign} ${last}; note(q - w); }`,
      `b.low = b.high++ + ${from};`,
      `(${to} = ${from}++), ${to} ${assign} ${from};`,
      `for (int *q = w; q < w + 4; *q++ ${assign} ${from});`,
      `s = (struct pair){ .b = ${from}++, .a = ${other}-- }; note(s.a - s.b);`,
      `${to} ${assign} ((struct pair){ ${from}, ${other}++ }).b + ${last};`,
      `${to} ${assign} *(${from} & 1 ? &w[${other}++ & 3] : &w[2]);`,
    ]);
    return `${statement} SHOW`;
  }

  program(): string {
    const statements = Array.from({ length: 30 }, () => {
      const kind = this.below(4);
      return `  ${kind === 0 ? this.ofLengths() : kind === 1 ? this.ofArguments() : this.ofOrder()}`;
    });
    return `${before}
int main(void) {
  int n = 3, m = ${2 + this.below(4)}, x = 1, y = ${this.below(50)}, z = 5;
  int v[4] = { 1, 2, 3, 4 }, w[4] = { 5, 6, 7, 8 };
  int cell = 9, *p = &cell;
  struct pair t = { 1, 2 }, s = t;
  struct { unsigned low : 3, high : 5; } b = { 1, 2 };
  char text[] = "xyz";
  int a[n][m];
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
${statements.join('\n')}
  printf("%ld %d\\n", sum, calls);
  return 0;
}
`;
  }
}

export const randomOperands = (seed: number): string => new Writer(seed).program();
