/** A comparison that is said to be certain has that truth for all values, wherever sums and products wrap. */
import fc from 'fast-check';
import * as E from '../../../../../src/program/build';
import type { Expression, IntegerScalar, Variable } from '../../../../../src/program/expression';
import { KnownFacts } from '../../../../../src/semantics/concrete/compiled/checkElimination';
import { certainTruth } from '../../../../../src/semantics/concrete/compiled/loops/certainTruth';

const types = ([8, 16, 32, 64] as const).flatMap((widthBits) =>
  [true, false].map((signed): IntegerScalar => ({ kind: 'integer', widthBits, signed })),
);
const variables = types.map((type, slot): Variable => ({ scope: 'local', slot, name: `v${slot}`, type }) as Variable);

/** Makes the expression of what stands for each variable. */
type Recipe = (leaf: (variable: Variable) => Expression) => Expression;

const constants = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n, 128n, 383n, -128n, 255n, (1n << 31n) - 1n, -(1n << 31n), 1n << 32n, 1n << 63n),
  fc.bigInt({ min: -400n, max: 400n }),
);
const { value: anyValue } = fc.letrec<{ value: Recipe }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...variables).map(
      (variable): Recipe =>
        (leaf) =>
          leaf(variable),
    ),
    fc.tuple(fc.constantFrom(...types), tie('value')).map(
      ([type, inner]): Recipe =>
        (leaf) =>
          E.convert(inner(leaf), type),
    ),
    fc
      .tuple(fc.constantFrom('add', 'subtract', 'multiply', 'remainder', 'and', 'shift-right'), tie('value'), constants)
      .map(([operator, inner, constant]): Recipe => (leaf) => {
        const left = inner(leaf);
        const type = left.type as IntegerScalar;
        const right = operator === 'shift-right' ? constant & 7n : constant;
        return E.binary(operator as 'add', left, E.integer(E.wrap(right, type), type));
      }),
    fc
      .tuple(fc.constantFrom('add', 'subtract'), tie('value'), tie('value'))
      .map(([operator, a, b]): Recipe => (leaf) => {
        const left = a(leaf);
        return E.binary(operator as 'add', left, E.convert(b(leaf), left.type));
      }),
  ),
}));

test('a comparison that is certain has its truth for all values', () => {
  let certain = 0;
  fc.assert(
    fc.property(
      anyValue,
      constants,
      fc.constantFrom('lt', 'le', 'eq', 'ne'),
      fc.boolean(),
      fc.array(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), { minLength: 8, maxLength: 8 }),
      (recipe, constant, operator, isSwapped, values) => {
        const compared = (leaf: (variable: Variable) => Expression): Expression => {
          const value = recipe(leaf);
          const type = value.type as IntegerScalar;
          const other = E.integer(E.wrap(constant, type), type);
          const [left, right] = isSwapped ? [other, value] : [value, other];
          return { kind: 'compare', type: E.yes.type, operator: operator as 'lt', left, right } as Expression;
        };
        const truth = certainTruth(compared(E.read), KnownFacts.nothing());
        if (truth === undefined) return;
        certain++;
        const rows = [values, values.map(() => 0n), values.map(() => -1n), values.map((value) => value & 0xffn)];
        for (const row of rows) {
          const { left, right } = compared((variable) => {
            const type = variable.type as IntegerScalar;
            return E.integer(E.wrap(row[variable.slot]!, type), type);
          }) as Extract<Expression, { kind: 'compare' }>;
          expect(E.truth(E.compare(operator as 'lt', left, right))).toEqual(E.truthValue(truth));
        }
      },
    ),
    { numRuns: 4000 },
  );
  expect(certain).toBeGreaterThan(100);
});

test.each([
  ['a byte plus 128, extended, is at least -2^31', 128n, -(1n << 31n), 'le', true],
  ['a byte minus 128, extended, may be 0', -128n, 0n, 'eq', undefined],
  ['a byte plus 300, extended, is not 12', 300n, 12n, 'eq', false],
] as const)('%s', (_, added, bound, operator, truth) => {
  const unsigned: IntegerScalar = { kind: 'integer', widthBits: 64, signed: false };
  const signed: IntegerScalar = { kind: 'integer', widthBits: 64, signed: true };
  const byte = E.convert(E.read(variables[1]!), unsigned);
  const sum = E.convert(E.binary('add', byte, E.integer(E.wrap(added, unsigned), unsigned)), signed);
  const constant = E.integer(bound, signed);
  const comparison = operator === 'le' ? E.atMost(constant, sum) : E.equal(sum, constant);
  expect(certainTruth(comparison, KnownFacts.nothing())).toBe(truth);
});
