/**
 * Random small C programs whose truth can be computed: two inputs of one byte, 65536 executions, all of them run
 * natively. The programs wrap (`-fwrapv`), divide by nothing that can be zero, index with masks, and loop a constant
 * number of times, so the only question is whether the error is reached.
 *
 * They aim at what proofs get wrong: conversions between all integer types, two pointers to one object, fields,
 * elements and bytes of the same memory, calls that write through pointers and to globals, early exits.
 */
import { Random } from '../../src/semantics/concrete/random';

const types = [
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'long',
  'unsigned long',
] as const;
type IntegerType = (typeof types)[number];

export interface RandomProgram {
  readonly text: string;
  /** Puts every static back; for the native run. */ readonly reset: string;
}

export function randomProgram(seed: number): RandomProgram {
  return new Generator(new Random(seed)).program();
}

class Generator {
  private readonly cell: IntegerType;
  private readonly globals: { readonly name: string; readonly type: IntegerType }[] = [];
  private readonly locals: { readonly name: string; readonly type: IntegerType }[] = [];
  private loops = 0;
  private readonly helpers: string[] = [];
  private inHelper = false;

  constructor(private readonly random: Random) {
    this.cell = this.pick(types);
  }

  program(): RandomProgram {
    for (let i = 0; i < 3; i++) this.globals.push({ name: `g${i}`, type: this.pick(types) });
    this.inHelper = true;
    for (let i = 0; i < 2; i++) this.helpers.push(this.helper(i));
    this.inHelper = false;
    for (let i = 0; i < 3; i++) this.locals.push({ name: `x${i}`, type: this.pick(types) });
    const initial = this.globals.map(({ name }) => ({ name, value: this.below(7) }));
    const cells = Array.from({ length: 4 }, () => this.below(5));
    const body = Array.from({ length: 3 + this.below(5) }, () => this.statement(2)).join('\n');
    const watched = this.pick(
      [...this.locals, ...this.globals].map(({ name }) => name).concat(['a[1]', 'a[3]', 's.x', 't.y[1]', '*p', '*q']),
    );
    const text = `extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_schar(void);
extern void reach_error(void);
struct pair { ${this.cell} x; ${this.cell} y[2]; };
${this.globals.map(({ name, type }, i) => `static ${type} ${name} = ${initial[i]!.value};`).join('\n')}
static ${this.cell} a[4] = { ${cells.join(', ')} };
static struct pair s, t;
static ${this.cell} *p = &a[1], *q = &a[2];
${this.helpers.join('\n')}
int main(void) {
  unsigned char u = __VERIFIER_nondet_uchar();
  signed char v = __VERIFIER_nondet_schar();
${this.locals
  .map(({ name, type }) => `  ${type} ${name} = ${this.pick(['u', 'v', 'u + v', 'u * v', String(this.below(9))])};`)
  .join('\n')}
${body}
  if (${this.pick([
    `(unsigned char)${watched} == ${this.below(256)}`,
    `${watched} == ${this.below(40) - 8}`,
    `${watched} > ${this.pick(['100', '1000', '70000', 'u', '-1'])}`,
    `${watched} < ${this.pick(['v', '-129', '0', 'u'])}`,
    `(${watched} & 7) == ${this.below(8)} && u ${this.pick(['<', '>', '=='])} ${this.below(256)}`,
  ])}) reach_error();
  return 0;
}
`;
    const reset =
      `${initial.map(({ name, value }) => `${name} = ${value};`).join(' ')} ` +
      `${cells.map((value, i) => `a[${i}] = ${value};`).join(' ')} memset(&s, 0, sizeof s); memset(&t, 0, sizeof ` +
      't); p = &a[1]; q = &a[2];';
    return { text, reset };
  }

  private helper(i: number): string {
    const known = this.locals.splice(0);
    const type = this.pick(types);
    this.locals.push({ name: 'x', type });
    const body = Array.from({ length: 1 + this.below(3) }, () => this.statement(1)).join('\n');
    const result = this.expression(2);
    this.locals.splice(0);
    this.locals.push(...known);
    return (
      `static ${this.pick(types)} h${i}(${type} x, ${this.cell} *r) {\n  unsigned char u = (unsigned char)x;\n  ` +
      `signed char v = (signed char)(x >> 3);\n${body}\n  *r = x + v;\n  return ${result};\n}`
    );
  }

  private statement(depth: number): string {
    const choice = this.below(depth > 0 ? 14 : 7);
    switch (choice) {
      case 0:
      case 1:
      case 2:
      case 3:
        return (
          `  ${this.lvalue()} ${this.pick(['=', '=', '=', '+=', '-=', '*=', '^=', '|=', '&='])} ` +
          `${this.expression(2)};`
        );
      case 4:
        return `  ${this.lvalue()}${this.pick(['++', '--'])};`;
      case 5:
        return (
          `  ${this.pick(['p', 'q'])} = ` +
          this.pick([
            `&a[${this.expression(1)} & 3]`,
            '&s.x',
            '&t.y[1]',
            `&s.y[${this.expression(1)} & 1]`,
            '&t.x',
            'p',
            'q',
          ]) +
          ';'
        );
      case 6:
        return `  ${this.pick([
          's = t;',
          't = s;',
          's = *(struct pair *)&t;',
          `((unsigned char *)&s)[${this.expression(1)} & ${this.sizeMask()}] = ${this.expression(1)};`,
          `((unsigned char *)a)[${this.below(4)}] = ${this.expression(1)};`,
        ])}`;
      case 7:
      case 8:
      case 9:
        return (
          `  if (${this.condition()}) {\n${this.statement(depth - 1)}\n${this.statement(depth - 1)}\n  ` +
          `}${this.below(2) === 0 ? ` else {\n${this.statement(depth - 1)}\n  }` : ''}`
        );
      case 10: {
        const i = `i${this.loops++}`;
        return (
          `  for (int ${i} = 0; ${i} < ${1 + this.below(4)}; ${i}++) {\n${this.statement(depth - 1)}\n` +
          `${this.below(3) === 0 ? `  if (${this.condition()}) ${this.pick(['break', 'continue'])};\n` : ''}` +
          `${this.statement(depth - 1)}\n  }`
        );
      }
      case 11:
        return (
          `  switch (${this.expression(1)} & 3) {\n  case 0: ${this.statement(0)}\n  case 1: ${this.statement(0)} ` +
          `break;\n  case 3: ${this.statement(0)}\n  }`
        );
      case 12: {
        if (this.inHelper) return `  ${this.lvalue()} = ${this.expression(2)};`;
        // No element or target of a pointer: whether the call or the place comes first is unspecified.
        return (
          `  ${this.pick([...this.locals, ...this.globals]).name} = h${this.below(2)}(${this.expression(1)}, ` +
          `${this.pick(['p', 'q', '&s.x', `&a[${this.expression(1)} & 3]`, '&t.y[0]'])});`
        );
      }
      default:
        return this.inHelper
          ? `  if (${this.condition()}) return ${this.expression(1)};`
          : `  if (${this.condition()}) return 0;`;
    }
  }

  private sizeMask(): number {
    return {
      'signed char': 1,
      'unsigned char': 1,
      short: 3,
      'unsigned short': 3,
      int: 7,
      unsigned: 7,
      long: 15,
      'unsigned long': 15,
    }[this.cell];
  }

  private lvalue(): string {
    const scalars = [...this.locals, ...this.globals].map(({ name }) => name);
    return this.pick([
      ...scalars,
      ...scalars,
      '*p',
      '*q',
      's.x',
      't.y[1]',
      `a[${this.below(4)}]`,
      `a[${this.expression(1)} & 3]`,
      ...(this.inHelper ? ['*r'] : []),
    ]);
  }

  private expression(depth: number): string {
    if (depth === 0 || this.below(4) === 0)
      return this.pick([
        ...this.locals.map(({ name }) => name),
        ...this.globals.map(({ name }) => name),
        'u',
        'v',
        'u',
        'v',
        '*p',
        '*q',
        's.y[0]',
        't.x',
        `a[${this.below(4)}]`,
        String(this.below(300)),
        `-${this.below(130)}`,
      ]);
    const [l, r] = [this.expression(depth - 1), this.expression(depth - 1)];
    switch (this.below(10)) {
      case 0:
      case 1:
      case 2:
        return `(${l} ${this.pick(['+', '-', '*'])} ${r})`;
      case 3:
        return `(${l} ${this.pick(['/', '%'])} ((${r} & 15) + 1))`;
      case 4:
        return `(${l} ${this.pick(['&', '|', '^'])} ${r})`;
      case 5:
        return `(${l} ${this.pick(['<<', '>>'])} (${r} & 7))`;
      case 6:
        return `(${this.pick(types)})${l}`;
      case 7:
        return `(${l} ${this.pick(['<', '<=', '==', '!='])} ${r})`;
      case 8:
        return `(${l} ? ${r} : ${this.expression(depth - 1)})`;
      default:
        return `${this.pick(['~', '-', '!'])}(${l})`;
    }
  }

  private condition(): string {
    return this.pick([
      `${this.expression(1)} ${this.pick(['<', '>', '==', '!=', '<=', '>='])} ${this.expression(1)}`,
      `${this.expression(1)} & ${1 << this.below(6)}`,
      'p == q',
      'u < v',
      `${this.expression(1)} && ${this.expression(1)}`,
    ]);
  }

  private below(n: number): number {
    return this.random.below(n);
  }
  private pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
