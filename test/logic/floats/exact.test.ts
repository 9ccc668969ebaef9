/** Floating point on whole numbers is computed in words, and means what JavaScript's numbers say. */
import * as fc from 'fast-check';
import { bits, bitsSort, boolSort, call, evaluate, ite, postOrder, signExtend, slt, symbol } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { floatBits } from '../../../src/logic/floats/patterns';
import { runs } from '../../long';

const x = symbol('x', bitsSort(8));
const y = symbol('y', bitsSort(16));
const z = symbol('z', bitsSort(32));

type Width = 32 | 64;
interface Case {
  readonly term: Term;
  readonly value: (x: number, y: number, z: number) => number;
}

const rounded = (width: Width, value: number): number => (width === 32 ? Math.fround(value) : value);
const operand = (width: Width): fc.Arbitrary<Case> =>
  fc.oneof(
    fc.constant<Case>({ term: call(`convert-integer8-float${width}`, bitsSort(width), x), value: (a) => a }),
    fc.constant<Case>({
      term: call(`convert-uinteger16-float${width}`, bitsSort(width), y),
      value: (_, b) => b,
    }),
    fc.constant<Case>({
      term: call(`convert-integer32-float${width}`, bitsSort(width), z),
      value: (_, _b, c) => rounded(width, c),
    }),
    fc.constant<Case>({
      term: call(`convert-integer32-float${width}`, bitsSort(width), signExtend(x, 32)),
      value: (a) => a,
    }),
    fc.constantFrom(0, -0, 1, -1, 2.5, 1000, -70000, 2 ** 24, 2 ** 53, 1e300).map((number): Case => ({
      term: bits(floatBits(rounded(width, number), width), width),
      value: () => rounded(width, number),
    })),
  );

const operators = {
  add: (a: number, b: number) => a + b,
  subtract: (a: number, b: number) => a - b,
  multiply: (a: number, b: number) => a * b,
};

function expression(width: Width): fc.Arbitrary<Case> {
  const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      operand(width),
      fc
        .tuple(fc.constantFrom('add', 'subtract', 'multiply'), tie('tree'), tie('tree'))
        .map(([name, left, right]): Case => ({
          term: call(`float-${name}-${width}`, bitsSort(width), left.term, right.term),
          value: (...at) =>
            rounded(width, operators[name as keyof typeof operators](left.value(...at), right.value(...at))),
        })),
      tie('tree').map((inner): Case => ({
        term: call(`float-negate-${width}`, bitsSort(width), inner.term),
        value: (...at) => -inner.value(...at),
      })),
      fc.tuple(tie('tree'), tie('tree')).map(([then, otherwise]): Case => ({
        term: ite(slt(x, bits(0, 8)), then.term, otherwise.term),
        value: (...at) => (at[0] < 0 ? then : otherwise).value(...at),
      })),
    ),
  }));
  return tree;
}

const inputs = fc.tuple(
  fc.integer({ min: -128, max: 127 }),
  fc.integer({ min: 0, max: 65535 }),
  fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.constantFrom(0, 1, -1, 2 ** 24 + 1)),
);
const at =
  ([a, b, c]: readonly [number, number, number]) =>
  (s: Term): bigint =>
    s === x ? BigInt.asUintN(8, BigInt(a)) : s === y ? BigInt(b) : BigInt.asUintN(32, BigInt(c));

/** The judge of the rounded rest. */
const uninterpreted = (): never => {
  throw new Error('rounded');
};

describe.each([32, 64] as const)('binary%d', (width) => {
  test('values', () => {
    let exact = 0;
    fc.assert(
      fc.property(expression(width), inputs, ({ term, value }, given) => {
        try {
          const result = evaluate(term, at(given), uninterpreted);
          const expected = value(...given);
          if (Number.isNaN(expected)) return;
          expect(result).toBe(floatBits(expected, width));
          exact++;
        } catch (error) {
          if (!(error instanceof Error && error.message === 'rounded')) throw error;
        }
      }),
      { numRuns: runs(3000) },
    );
    expect(exact).toBeGreaterThan(runs(1000));
  });

  test('comparisons', () => {
    fc.assert(
      fc.property(
        expression(width),
        expression(width),
        inputs,
        fc.constantFrom('eq', 'lt', 'le'),
        (left, right, given, name) => {
          const term = call(`float-${name}-${width}`, boolSort, left.term, right.term);
          const [a, b] = [left.value(...given), right.value(...given)];
          try {
            expect(evaluate(term, at(given), uninterpreted)).toBe(
              name === 'eq' ? a === b : name === 'lt' ? a < b : a <= b,
            );
          } catch (error) {
            if (!(error instanceof Error && error.message === 'rounded')) throw error;
          }
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});

test('conversions to integers truncate what fits', () => {
  let fitting = 0;
  fc.assert(
    fc.property(
      expression(64),
      inputs,
      fc.constantFrom(8, 16, 32, 64),
      fc.constantFrom('', 'u'),
      ({ term, value }, given, width, sign) => {
        const expected = value(...given);
        const one = 2 ** (sign === '' ? width - 1 : width);
        if (!(Math.trunc(expected) >= (sign === '' ? -one : 0) && Math.trunc(expected) < one)) return;
        try {
          const result = evaluate(
            call(`convert-float64-${sign}integer${width}`, bitsSort(width), term),
            at(given),
            uninterpreted,
          );
          expect(result).toBe(BigInt.asUintN(width, BigInt(Math.trunc(expected))));
          fitting++;
        } catch (error) {
          if (!(error instanceof Error && error.message === 'rounded')) throw error;
        }
      },
    ),
    { numRuns: runs(3000) },
  );
  expect(fitting).toBeGreaterThan(runs(300));
});

const double = (t: Term): Term => call('convert-integer32-float64', bitsSort(64), t);
const one = bits(floatBits(1, 64), 64);

test('what is exact has no floating-point operation left', () => {
  const k = signExtend(x, 32);
  const sum = call('float-add-64', bitsSort(64), double(k), one);
  const less = call('float-lt-64', boolSort, double(k), sum);
  const whole = call('convert-float64-integer32', bitsSort(32), sum);
  for (const term of postOrder([less, whole])) expect(term).not.toMatchObject({ operator: 'call' });
});

test('what may be rounded, or the negative zero, stays', () => {
  const big = call('float-multiply-64', bitsSort(64), double(z), double(z));
  expect(big).toMatchObject({ operator: 'call', name: 'float-multiply-64' });
  expect(call('float-negate-64', bitsSort(64), double(z))).toMatchObject({ name: 'float-negate-64' });
  expect(call('float-multiply-64', bitsSort(64), double(signExtend(x, 32)), double(signExtend(x, 32)))).toMatchObject({
    name: 'float-multiply-64',
  });
});
