import fc from 'fast-check';
import { CError } from '../../src/c/diagnostics/diagnostic';
import { printType } from '../../src/c/printType';
import { readCText } from '../../src/c/read';
import { compileAndRun, testWithCompiler } from './compiler';

const types = [
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned int',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '_Bool',
  'float',
  'double',
];

/** `__typeof__(e) x = e;` as the front end computes it: type and value, or undefined when C defines no constant. */
function constant(text: string): { type: string; value: string } | undefined {
  try {
    const { units } = readCText(`__typeof__(${text}) x = ${text};`);
    const [x] = units[0]!.variables;
    const { value } = x!.initializer!.items[0]!;
    if (value.kind === 'integer')
      return { type: printType(value.type), value: BigInt.asUintN(64, value.value).toString(16) };
    if (value.kind === 'float') return { type: printType(value.type), value: hexOf(value.value) };
    throw new Error(`neither integer nor float: ${value.kind}`);
  } catch (error) {
    if (
      error instanceof CError &&
      error.diagnostics.every((d) => d.message === 'the initializer of a static object must be a constant')
    )
      return undefined;
    throw error;
  }
}

function hexOf(value: number): string {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return Number.isNaN(value) ? 'nan' : bytes.getBigUint64(0).toString(16);
}

test.each([
  ['1 + 2 * 3', 'int', 7n],
  ['-1 >> 1', 'int', -1n],
  ['-7 / 2', 'int', -3n],
  ['-7 % 3', 'int', -1n],
  ['-1u', 'unsigned int', 0xffffffffn],
  ['(unsigned char)300', 'unsigned char', 44n],
  ['(_Bool)0.5', '_Bool', 1n],
  ['-1 < 1u', 'int', 0n],
  ['sizeof(int) - 5', 'unsigned long', -1n],
  ["'a' + 1", 'int', 98n],
  ['1 ? 2 : 3u', 'unsigned int', 2n],
  ['0 && 1 / 0', 'int', 0n],
  ['1 || 1 / 0', 'int', 1n],
  ['(char)0x80', 'char', -128n],
  ['~0ul >> 63', 'unsigned long', 1n],
  ['(int)-2.9', 'int', -2n],
  ['(long)(char *)8', 'long', 8n],
  ['(int *)0 == 0', 'int', 1n],
  ['1 ?: 2', 'int', 1n],
])('%s', (text, type, value) =>
  expect(constant(text)).toEqual({ type, value: BigInt.asUintN(64, value).toString(16) }),
);

test.each(['1 / 0', '1 % 0', '1 << 32', '1 << -1', '(int)1e10', '(unsigned char)-1.0', '*(int *)0'])(
  '%s is no constant',
  (text) => expect(constant(text)).toBeUndefined(),
);

const literal = fc.oneof(
  fc
    .tuple(
      fc.oneof(fc.nat(300), fc.constantFrom(0, 1, 2, 127, 128, 255, 32768, 65535, 2147483647, 4294967295)),
      fc.constantFrom('', 'u', 'l', 'ul', 'll', 'ull'),
    )
    .map(([n, suffix]) => `${n}${suffix}`),
  fc.constantFrom(
    '2147483648',
    '0x80000000',
    '0xffffffffffffffff',
    '9223372036854775807',
    "'x'",
    "'\\xff'",
    '017',
    '1.5',
    '2.5f',
    '1e10',
    '0.1f',
    '3.0',
    '1e-3',
    '16777217.0',
    '0x1p70',
    '9007199254740993ll',
  ),
);
const text: fc.Arbitrary<string> = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    literal,
    fc.tuple(fc.constantFrom(...types), tie('e')).map(([type, e]) => `(${type})(${e})`),
    fc.tuple(fc.constantFrom('-', '~', '!', '+'), tie('e')).map(([operator, e]) => `${operator}(${e})`),
    fc
      .tuple(
        tie('e'),
        fc.constantFrom(
          '+',
          '-',
          '*',
          '/',
          '%',
          '&',
          '|',
          '^',
          '<<',
          '>>',
          '<',
          '<=',
          '>',
          '>=',
          '==',
          '!=',
          '&&',
          '||',
        ),
        tie('e'),
      )
      .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
    fc.tuple(tie('e'), tie('e'), tie('e')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
  ),
})).e;

/** Operators on operands they do not take are not the subject here. */
function defined(e: string): { type: string; value: string } | undefined {
  try {
    return constant(e);
  } catch (error) {
    if (error instanceof CError && error.diagnostics.every((d) => /^(invalid operands|the operand of)/.test(d.message)))
      return undefined;
    throw error;
  }
}

testWithCompiler('random constant expressions have the type and value the compiler gives them', () => {
  const cases = fc.sample(text, { numRuns: 3000, seed: 9 }).flatMap((e) => {
    const ours = defined(e);
    return ours ? [{ e, ours }] : [];
  });
  expect(cases.length).toBeGreaterThan(1200);
  const generic = types.map((type) => `${type}: "${type}"`).join(', ');
  const prints = cases.map(
    ({ e }) =>
      `show(_Generic((${e}), ${generic}), _Generic((${e}), float: 1, double: 1, default: 0), (double)(${e}), ` +
      `(unsigned long long)(${e}));`,
  );
  const show =
    'static void show(const char *type, int real, double d, unsigned long long n) { unsigned long long b; ' +
    'memcpy(&b, &d, 8); if (real && d != d) printf("%s nan\\n", type); ' +
    'else printf("%s %llx\\n", type, real ? b : n); }';
  const { status, output } = compileAndRun(
    {
      'main.c': `#include <stdio.h>\n#include <string.h>\n${show}\nint main(void) {\n${prints.join('\n')}\nreturn 0; }`,
    },
    '-fwrapv',
  );
  expect(status === 0 ? '' : output).toBe('');
  const lines = output.trim().split('\n');
  cases.forEach(({ e, ours }, i) => expect(`${e}: ${ours.type} ${ours.value}`).toBe(`${e}: ${lines[i]!}`));
});
