import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { CError } from '../../src/c/diagnostics/diagnostic';
import { printType } from '../../src/c/printType';
import { readCText } from '../../src/c/read';
import { testWithCompiler } from './compiler';

const declarations = `
struct node { int v; struct node *next; unsigned b : 3; int c : 5; long w : 31; const int k;
  struct { char in; short out; }; int a[3]; };
struct pair { int x, y; }; enum color { RED, GREEN }; enum level { LOW = -1 };
_Bool t; char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
long long ll; float f; double d; enum color color; enum level level; const int ci; volatile short vs;
int *p; const int *cp; char *q; void *v; int **pp; int a[4]; int m[2][3]; struct node n; struct node *np;
const struct node *cnp; struct pair pr; int (*fp)(int); int *const kp; struct opaque *op;
int g(int x); void nothing(void); struct pair make(void); int any(); double half(float x);
int *find(const char *where, int n);
`.trim();

const names = [
  't',
  'c',
  'uc',
  's',
  'us',
  'i',
  'u',
  'l',
  'ul',
  'll',
  'f',
  'd',
  'color',
  'level',
  'ci',
  'vs',
  'p',
  'cp',
  'q',
  'v',
  'pp',
  'a',
  'm',
  'n',
  'np',
  'cnp',
  'pr',
  'fp',
  'kp',
  'op',
  'g',
  'RED',
  '0',
  '1',
  '2u',
  '3l',
  '1.5',
  "'x'",
  '"str"',
  '(void *)0',
];
const fields = ['v', 'next', 'b', 'c', 'w', 'k', 'in', 'out', 'a', 'x', 'y', 'none'];
const casts = [
  'int',
  'char',
  'unsigned',
  'long',
  'float',
  'double',
  'int *',
  'char *',
  'void *',
  'void',
  '_Bool',
  'struct pair',
  'enum level',
  'const int *',
  'int (*)(int)',
];
const binary = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '<', '>=', '==', '!=', '&&', '||'];
const assign = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '<<=', '>>='];

const expression: fc.Arbitrary<string> = fc.letrec<{ e: string; name: string }>((tie) => ({
  name: fc.constantFrom(...names),
  e: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    tie('name'),
    fc.tuple(fc.constantFrom('-', '~', '!', '+', '*', '&', '++', '--'), tie('e')).map(([o, e]) => `(${o}${e})`),
    fc.tuple(tie('e'), fc.constantFrom('++', '--')).map(([e, o]) => `(${e}${o})`),
    fc.tuple(tie('e'), fc.constantFrom(...binary), tie('e')).map(([x, o, y]) => `(${x} ${o} ${y})`),
    fc.tuple(tie('e'), fc.constantFrom(...assign), tie('e')).map(([x, o, y]) => `(${x} ${o} ${y})`),
    fc.tuple(tie('name'), fc.constantFrom(...assign), tie('e')).map(([x, o, y]) => `(${x} ${o} ${y})`),
    fc.tuple(tie('e'), tie('e'), tie('e')).map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
    fc.tuple(fc.constantFrom(...casts), tie('e')).map(([t, e]) => `((${t})${e})`),
    fc.tuple(tie('e'), tie('e')).map(([x, y]) => `${x}[${y}]`),
    fc.tuple(fc.constantFrom('a', 'm', 'p', 'pp', 'np'), tie('e')).map(([x, y]) => `${x}[${y}]`),
    fc.tuple(tie('e'), fc.constantFrom('.', '->'), fc.constantFrom(...fields)).map(([x, o, m]) => `(${x})${o}${m}`),
    fc
      .tuple(fc.constantFrom('n.', 'np->', 'cnp->', 'pr.', 'make().'), fc.constantFrom(...fields))
      .map(([x, m]) => `${x}${m}`),
    fc.tuple(fc.constantFrom('g', 'fp', 'any', 'half', '(*fp)'), tie('e')).map(([x, y]) => `${x}(${y})`),
    fc.constantFrom('nothing()', 'make()', 'find(q, 1)', 'find("x", c)'),
    tie('e').map((e) => `(sizeof ${e})`),
    fc.tuple(tie('e'), tie('e')).map(([x, y]) => `(${x}, ${y})`),
  ),
})).e;

/** The type, or the errors. */
function ours(e: string): { readonly type: string } | { readonly errors: string } {
  try {
    const body = readCText(`${declarations}\nvoid f0(void) { ${e}; }`).units[0]!.functions.find(
      (x) => x.name === 'f0',
    )!.body!;
    const [statement] = body.items;
    if (statement?.kind !== 'expression') throw new Error('an expression statement was expected');
    return { type: printType(statement.expression.type) };
  } catch (error) {
    if (error instanceof CError) return { errors: error.diagnostics.map((d) => d.message).join('; ') };
    throw error;
  }
}

/**
 * What we reject and compilers only warn of: numbers for pointers and back, pointers compared with numbers, subscripts
 * of `void *`.
 */
const stricter = new RegExp(
  [
    /number converted to a pointer|pointer converted to a number|invalid operands of '(==|!=|<|>=|[+-]=)'/,
    /needs an array or a pointer to objects|incompatible function pointers|\?:' chooses between|element.*of size 0/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/** GCC gives a bit-field that is not promoted a type of its own. */
const bitField = {
  test: (e: string): boolean =>
    /(?:->|\.)[bcw]\b/.test(e) && /(?:->|\.)[bcw](?:\+\+|--)?\)*$|^\((?:\+\+|--)|[^=!<>]=[^=]|, /.test(e),
};
/** GNU C forms that are left out: they are errors here. */
const leftOut = /cast to 'struct/;

testWithCompiler(
  'random expressions have the type the compiler gives them, and are wrong where it finds them wrong',
  () => {
    const cases = fc.sample(expression, { numRuns: 1500, seed: 4 }).map((e) => ({ e, ours: ours(e) }));
    const lines = cases.map(({ e, ours: result }, i) =>
      'type' in result && !bitField.test(e)
        ? `void f${i}(void) { _Static_assert(${
            result.type === 'void'
              ? `__builtin_types_compatible_p(__typeof__(${e}), void)`
              : `__builtin_types_compatible_p(__typeof__((0, ${e})), ${result.type})`
          }, "type"); ${e}; }`
        : `void f${i}(void) { ${e}; }`,
    );
    const { stderr } = spawnSync('cc', ['-std=gnu11', '-w', '-fsyntax-only', '-fmax-errors=0', '-x', 'c', '-'], {
      input: `${declarations}\n${lines.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const first = declarations.split('\n').length + 1;
    const errors = new Map<number, string>();
    for (const [, line, message] of stderr.matchAll(/^<stdin>:(\d+):\d+: error: (.*)$/gm))
      errors.set(Number(line) - first, message!);
    let accepted = 0;
    const disagreements: string[] = [];
    cases.forEach(({ e, ours: result }, i) => {
      const theirs = errors.get(i);
      if ('type' in result) {
        accepted++;
        if (theirs !== undefined) disagreements.push(`${e} has type ${result.type}: ${theirs}`);
      } else if (!stricter.test(result.errors) && !leftOut.test(result.errors)) {
        if (theirs === undefined) disagreements.push(`${e} is accepted, here: ${result.errors}`);
      }
    });
    expect(disagreements).toEqual([]);
    expect(accepted).toBeGreaterThan(300);
  },
);
