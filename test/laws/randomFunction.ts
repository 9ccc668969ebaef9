/** Random functions over all integer types, as C text: straight-line code with arrays, structures and conditions. */
import fc from 'fast-check';

const types = [
  '_Bool',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'long',
  'unsigned long',
  'long long',
] as const;
export const parameters = types.map((type, i) => ({ type, name: `p${i}` }));

const leaf = fc.oneof(
  fc.constantFrom(...parameters.map(({ name }) => name), 'v0', 'v1', 'v2'),
  fc.constantFrom(
    '0',
    '1',
    '(-1)',
    '2',
    '7',
    '255',
    '(-128)',
    '32767',
    '2147483647',
    '(-2147483647 - 1)',
    '4294967295u',
    '9223372036854775807l',
    '0x80000000u',
    "'a'",
  ),
);
const expressionOver = (types: readonly string[]) =>
  fc.letrec<{ e: string }>((tie) => ({
    e: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(
          fc.constantFrom('+', '-', '*', '/', '%', '&', '|', '^', '<', '<=', '==', '!=', '&&', '||'),
          tie('e'),
          tie('e'),
        )
        .map(([op, a, b]) => `(${a} ${op} ${b})`),
      fc
        .tuple(fc.constantFrom('<<', '>>'), tie('e'), fc.integer({ min: 0, max: 40 }))
        .map(([op, a, n]) => `(${a} ${op} ${n})`),
      fc.tuple(fc.constantFrom('-', '~', '!', '+'), tie('e')).map(([op, a]) => `(${op}${a})`),
      fc.tuple(fc.constantFrom(...types), tie('e')).map(([type, a]) => `((${type})${a})`),
      fc.tuple(tie('e'), tie('e'), tie('e')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
    ),
  })).e;
const statementOver = (expression: fc.Arbitrary<string>) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('v0', 'v1', 'v2'), fc.constantFrom('=', '+=', '-=', '*=', '&=', '|=', '^='), expression)
      .map(([v, op, e]) => `${v} ${op} ${e};`),
    fc.tuple(fc.constantFrom('v0', 'v1', 'v2'), fc.constantFrom('++', '--')).map(([v, op]) => `${v}${op};`),
    fc
      .tuple(expression, fc.constantFrom('v0', 'v1', 'v2'), expression, expression)
      .map(([c, v, a, b]) => `if (${c}) ${v} = ${a}; else ${v} = ${b};`),
    fc.tuple(fc.integer({ min: 0, max: 3 }), expression).map(([i, e]) => `cells[${i}] = ${e};`),
    fc.tuple(fc.constantFrom('v0', 'v1', 'v2'), expression).map(([v, e]) => `${v} = cells[(int)((${e}) & 3)];`),
    fc.tuple(expression, expression).map(([i, e]) => `cells[(int)((${i}) & 3)] = ${e};`),
    fc.tuple(fc.constantFrom('s.a', 's.b', 's.c'), expression).map(([f, e]) => `${f} = ${e};`),
    fc
      .tuple(fc.constantFrom('v0', 'v1', 'v2'), fc.constantFrom('s.a', 's.b', 's.c', 'cells[1]'))
      .map(([v, f]) => `${v} = ${f};`),
  );
/** Variables, casts and the result may also have the types of `more`. */
export function functionOver(more: readonly string[]): fc.Arbitrary<string> {
  const all = [...types, ...more];
  const expression = expressionOver(all);
  return fc
    .tuple(
      fc.constantFrom('int', 'unsigned', 'long', 'short', 'unsigned char', ...more),
      fc.array(fc.constantFrom(...all), { minLength: 3, maxLength: 3 }),
      fc.array(statementOver(expression), { minLength: 1, maxLength: 6 }),
      expression,
    )
    .map(([result, [a, b, c], body, value]) =>
      [
        `struct s { signed char a; int b; unsigned long c; };`,
        `static short cells[4];`,
        `static struct s s;`,
        `${result} f(${parameters.map(({ type, name }) => `${type} ${name}`).join(', ')}) {`,
        `  ${a} v0 = 1; ${b} v1 = 2; ${c} v2 = 3;`,
        ...body.map((line) => `  ${line}`),
        `  return ${value};`,
        '}',
        '',
      ].join('\n'),
    );
}
export const functionText = functionOver([]);
export const word = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    -1n,
    127n,
    128n,
    -128n,
    255n,
    32767n,
    -32768n,
    65535n,
    2147483647n,
    -2147483648n,
    4294967295n,
    9223372036854775807n,
    -9223372036854775808n,
  ),
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
);
