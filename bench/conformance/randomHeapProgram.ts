/**
 * Random small C programs about loops, the heap and calls, whose truth can be computed: two inputs of one byte, 65536
 * executions, all of them run natively. Memory is always used safely and arithmetic wraps (`-fwrapv`), so the only
 * question is whether the error is reached.
 *
 * They aim at what proofs of loops and of lists get wrong: bounds that come from inputs, side exits, nested loops and
 * backward jumps; lists whose nodes are shared, relinked and freed; blocks that grow; pointers into the middle of
 * arrays; structures passed by value; recursion; calls through tables.
 */
import { Random } from '../../src/semantics/concrete/random';
import type { RandomProgram } from './randomProgram';

const types = ['int', 'unsigned', 'short', 'unsigned char', 'long', 'signed char'] as const;

export function randomHeapProgram(seed: number): RandomProgram {
  return new Generator(new Random(seed)).program();
}

class Generator {
  private fresh = 0;
  private readonly cell: string;
  private readonly value: string;
  constructor(private readonly random: Random) {
    this.cell = this.pick(types);
    this.value = this.pick(types);
  }

  program(): RandomProgram {
    const limit = this.pick(['3', '4', '6']);
    const text = `#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_schar(void);
extern void reach_error(void);
struct node { ${this.value} v; struct node *next; };
struct pair { ${this.cell} x, y; };
static struct node *head;
static int count;
static ${this.cell} a[8];
static struct pair pairs[3];
static void push(${this.value} v) {
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = head;
  head = n;
  count++;
}
static int pop(void) {
  struct node *n = head;
  if (!n) return ${this.pick(['-1', '0', '7'])};
  int v = n->v;
  head = n->next;
  ${this.pick(['free(n);', 'n->next = 0;', ''])}
  count--;
  return v;
}
static int sum(const struct node *n) {
  int s = 0;
  while (n) { ${this.pick([
    's += n->v;',
    's ^= n->v;',
    'if (n->v > 2) s++;',
    'if (n->v < 0) break; s += 2;',
  ])} n = n->next; }
  return s;
}
static void change(struct node *n, int by) {
  for (; n; n = n->next) ${this.pick([
    'n->v += by;',
    'if (n->v & 1) n->v = by;',
    '{ n->v = n->next ? n->next->v : by; }',
    'n->v = n->v < by ? by : n->v;',
  ])}
}
static void turn(void) {
  struct node *done = 0;
  while (head) { struct node *n = head; head = n->next; n->next = done; done = n; }
  head = done;
}
static struct pair swapped(struct pair p) {
  struct pair q = { p.y, p.x }; ${this.pick(['q.x++;', 'p.x = 0;', ''])} return q;
}
static int deep(int n, int x) {
  if (n <= 0) return x;
  return ${this.pick([
    'deep(n - 1, x + n)',
    'deep(n - 2, x) + 1',
    'n + deep(n - 1, x ^ n)',
    'x < 3 ? x : deep(n - 1, x - 1)',
  ])};
}
static int add(int x, int y) { return x + y; }
static int less(int x, int y) { return x < y; }
static int keep(int x, int y) { ${this.pick(['count = y & 7;', 'a[y & 7] = x;', ''])} return x; }
static int (*const table[3])(int, int) = { add, less, keep };
int main(void) {
  unsigned char u = __VERIFIER_nondet_uchar();
  signed char v = __VERIFIER_nondet_schar();
  int n = u ${this.pick([`% ${limit}`, '& 3', '>> 6'])}, r = ${this.pick(['0', 'v', 'u', '5'])};
  ${this.cell} *p = a + (v & 3);
  int *grown = malloc(sizeof *grown);
  int room = 1;
  grown[0] = ${this.pick(['r', '0', 'v'])};
${Array.from({ length: 3 + this.below(4) }, () => this.statement(2)).join('\n')}
  if (${this.goal()}) reach_error();
  return 0;
}
`;
    return { text, reset: 'head = 0; count = 0; memset(a, 0, sizeof a); memset(pairs, 0, sizeof pairs);' };
  }

  private statement(depth: number): string {
    switch (this.below(depth > 0 ? 19 : 11)) {
      case 0:
        return `  push(${this.number()});`;
      case 1:
        return `  r = pop();`;
      case 2:
        return (
          `  r ${this.pick(['=', '+=', '-=', '^='])} ` + `sum(${this.pick(['head', 'head', 'head ? head->next : 0'])});`
        );
      case 3:
        return `  change(${this.pick(['head', 'head && head->next ? head->next->next : 0'])}, ${this.number()});`;
      case 4:
        return '  turn();';
      case 5:
        return `  a[${this.index()}] ${this.pick(['=', '+=', '='])} ${this.number()};`;
      case 6:
        return `  ${this.pick(['*p', 'p[2]', 'p[r & 3]', 'p[n & 1]'])} = ${this.number()};`;
      case 7:
        return `  ${this.pick([
          'p = a + (r & 3);',
          'p = a + n % 4;',
          'p = (r & 1) ? &a[1] : p;',
          'memset(a, 1, sizeof a);',
          'memcpy(a, a + 4, 4 * sizeof *a);',
          'memmove(a + 1, a, 5 * sizeof *a);',
        ])}`;
      case 8:
        return `  ${this.pick([
          'pairs[1] = swapped(pairs[0]);',
          'pairs[r & 1] = pairs[2];',
          `pairs[n % 3].x = ${this.number()};`,
          'pairs[2] = swapped(swapped(pairs[1]));',
          `pairs[0].y = (${this.cell})(pairs[1].x + r);`,
        ])}`;
      case 9:
        return `  r = ${this.pick([
          `deep(n, ${this.number()})`,
          `table[${this.pick(['u % 3', 'n % 3', '(r & 1)', '2'])}](r, ${this.number()})`,
          this.number(),
        ])};`;
      case 10:
        return (
          '  { int *more = realloc(grown, (room + 1) * sizeof *grown); grown = more; grown[room] = ' +
          `${this.number()}; room++; }`
        );
      case 11:
      case 12: {
        const i = this.name('i');
        return (
          `  for (int ${i} = ${this.pick(['0', '0', '1'])}; ${i} < ${this.pick(['n', 'n', '4', 'count', 'room'])} ` +
          `&& ${i} < 8; ${i}++) {\n${this.statement(depth - 1)}\n    ` +
          this.pick([
            `a[${i}] = ${i};`,
            `r += ${i};`,
            `if (r == ${this.below(9)}) break;`,
            `if (a[${i}] > v) continue; r++;`,
            `push(${i});`,
          ]) +
          `\n${this.statement(0)}\n  }`
        );
      }
      case 13: {
        const k = this.name('k');
        return (
          `  int ${k} = ${this.pick(['n', 'u & 7', '3'])};\n  while (${k} > 0) {\n    ` +
          `${k}--;\n${this.statement(depth - 1)}\n  }`
        );
      }
      case 14:
      case 15:
        return (
          `  if (${this.condition()}) {\n${this.statement(depth - 1)}\n  } else {\n${this.statement(depth - 1)}\n  ` +
          '}'
        );
      case 16: {
        const [label, t] = [this.name('again'), this.name('t')];
        return (
          `  int ${t} = 0;\n${label}:\n${this.statement(0)}\n  if (++${t} < ${this.pick(['n', '3', '2'])}) goto ` +
          `${label};`
        );
      }
      case 17:
        return `  do {\n${this.statement(0)}\n    n--;\n  } while (n > ${this.below(2)});\n  if (n < 0) n = 0;`;
      default:
        return `  if (${this.condition()}) return 0;`;
    }
  }

  private goal(): string {
    return this.pick([
      `r == ${this.below(12) - 3}`,
      `r > ${this.pick(['20', '300', '70000', 'u'])}`,
      `count > ${this.below(7)}`,
      'count < 0',
      `sum(head) == ${this.below(9)}`,
      `head && head->v == ${this.below(6)}`,
      `a[${this.below(8)}] == ${this.below(6)}`,
      `*p > ${this.pick(['5', '100', 'v'])}`,
      `grown[room - 1] == ${this.below(7)}`,
      'room > 4',
      `pairs[1].x != pairs[0].y && n == ${this.below(3)}`,
      `n > ${this.pick(['5', '3'])}`,
      '(head == 0) != (count == 0)',
      'head && head->next && head->v > head->next->v',
      `r < ${this.pick(['-128', '0', 'v'])} && u > ${this.below(256)}`,
    ]);
  }

  private condition(): string {
    return this.pick([
      `${this.number()} ${this.pick(['<', '>', '==', '!=', '<=', '>='])} ${this.number()}`,
      `u & ${1 << this.below(8)}`,
      'head',
      'head && head->next',
      'count > 1',
      'v < 0',
      'p == a',
      '*p && r',
    ]);
  }

  private number(): string {
    return this.pick([
      'u',
      'v',
      'n',
      'r',
      'count',
      String(this.below(10)),
      `-${this.below(4)}`,
      'r + 1',
      'u - v',
      'a[2]',
      '*p',
      'pairs[1].x',
      'grown[0]',
      'grown[room - 1]',
      'n * 2',
      '(u >> 4)',
      '(r & 15)',
      'room',
    ]);
  }
  private index(): string {
    return this.pick(['0', '3', '7', 'u & 7', 'n & 7', '(r & 7)', 'count & 3', '(unsigned)v % 8']);
  }

  private name(prefix: string): string {
    return `${prefix}${this.fresh++}`;
  }
  private below(n: number): number {
    return this.random.below(n);
  }
  private pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
