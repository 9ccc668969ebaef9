import fc from 'fast-check';
import {
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  pointer,
  uint16,
  uint32,
  uint64,
  uint8,
  type BinaryOperator,
  type IntegerScalar,
  type Scalar,
} from '../../../src/program/expression';
import {
  addressOf,
  ConcreteValues,
  objectNumber,
  offsetBytes,
  pointerAt,
  pointerTo,
  type ConcreteValue,
} from '../../../src/semantics/concrete/concreteValues';

const int128: IntegerScalar = { kind: 'integer', widthBits: 128, signed: true };
const uint128: IntegerScalar = { kind: 'integer', widthBits: 128, signed: false };
const integers = [int8, uint8, int16, uint16, int32, uint32, int64, uint64, int128, uint128];
const values = new ConcreteValues('lp64');
const small = new ConcreteValues('ilp32');

const type = fc.constantFrom(...integers);
const interesting = fc.oneof(
  fc.bigInt({ min: -(1n << 64n), max: 1n << 64n }),
  fc.bigInt({ min: -(1n << 128n), max: 1n << 128n }),
  fc.bigInt({ min: -3n, max: 3n }),
  fc
    .constantFrom(7n, 8n, 15n, 16n, 31n, 32n, 63n, 64n, 127n, 128n)
    .chain((n) => fc.constantFrom(1n << n, (1n << n) - 1n, -(1n << n), (1n << n) + 1n)),
);
const wrap = (value: bigint, { widthBits, signed }: IntegerScalar): bigint =>
  signed ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value);
const concrete = (value: bigint, of: IntegerScalar): ConcreteValue => values.integer(value, of);
/** The value is of the right kind and in range, and this one. */
const expectInteger = (actual: ConcreteValue, expected: bigint, of: IntegerScalar) => {
  expect(typeof actual).toBe(of.widthBits > 32 ? 'bigint' : 'number');
  expect(Object.is(actual, -0)).toBe(false);
  expect(BigInt(actual)).toBe(wrap(expected, of));
};

/** The documented meaning, in unbounded integers. */
function meaning(operator: BinaryOperator, a: bigint, b: bigint, { widthBits }: IntegerScalar): bigint {
  const amount = ((b % BigInt(widthBits)) + BigInt(widthBits)) % BigInt(widthBits);
  switch (operator) {
    case 'add':
      return a + b;
    case 'subtract':
      return a - b;
    case 'multiply':
      return a * b;
    case 'divide':
      return b === 0n ? 0n : a / b;
    case 'remainder':
      return b === 0n ? a : a % b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shift-left':
      return a << amount;
    case 'shift-right':
      return a >> amount;
  }
}
const arithmetic: BinaryOperator[] = ['add', 'subtract', 'multiply', 'divide', 'remainder', 'and', 'or', 'xor'];

describe('integers', () => {
  test('operations are exact and wrap', () => {
    fc.assert(
      fc.property(type, fc.constantFrom(...arithmetic), interesting, interesting, (of, operator, x, y) => {
        const [a, b] = [wrap(x, of), wrap(y, of)];
        expectInteger(
          values.binary(operator, of, of)(concrete(a, of), concrete(b, of)),
          meaning(operator, a, b, of),
          of,
        );
      }),
      { numRuns: 5000 },
    );
  });

  test('shift amounts may have any integer type and count modulo the width', () => {
    fc.assert(
      fc.property(
        type,
        type,
        fc.constantFrom<BinaryOperator>('shift-left', 'shift-right'),
        interesting,
        interesting,
        (of, amountType, operator, x, y) => {
          const [a, b] = [wrap(x, of), wrap(y, amountType)];
          expectInteger(
            values.binary(operator, of, amountType)(concrete(a, of), concrete(b, amountType)),
            meaning(operator, a, b, of),
            of,
          );
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('negation, complement, comparison and conversion', () => {
    fc.assert(
      fc.property(type, type, interesting, interesting, (of, to, x, y) => {
        const [a, b] = [wrap(x, of), wrap(y, of)];
        expectInteger(values.unary('negate', of)(concrete(a, of)), -a, of);
        expectInteger(values.unary('complement', of)(concrete(a, of)), ~a, of);
        expectInteger(values.convert(of, to)(concrete(a, of)), a, to);
        const compared = (['eq', 'ne', 'lt', 'le'] as const).map((operator) =>
          values.compare(operator, of)(concrete(a, of), concrete(b, of)),
        );
        expect(compared).toEqual([a === b, a !== b, a < b, a <= b].map(Number));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('floats', () => {
  test('single precision rounds every result once', () => {
    const float = fc.float({ noNaN: true });
    fc.assert(
      fc.property(float, float, (a, b) => {
        expect(values.binary('multiply', float32, float32)(a, b)).toBe(Math.fround(a * b));
        expect(values.binary('divide', float32, float32)(a, b)).toBe(Math.fround(a / b));
      }),
    );
  });

  test('integers of 64 bits and more become floats with one rounding', () => {
    const nearest = (n: bigint) => values.convert(int64, float32)(n);
    // Halfway between two floats plus a little that a double cannot hold: rounding twice would go down.
    expect(nearest((1n << 60n) + (1n << 36n) + 1n)).toBe(2 ** 60 + 2 ** 37);
    expect(nearest((1n << 60n) + (1n << 36n))).toBe(2 ** 60);
    expect(nearest(-((1n << 60n) + (1n << 36n) + 1n))).toBe(-(2 ** 60 + 2 ** 37));
    expect(values.convert(uint64, float64)((1n << 64n) - 1n)).toBe(2 ** 64);
    expect(values.convert(uint128, float64)((1n << 128n) - 1n)).toBe(2 ** 128);
    expect(values.convert(uint128, float32)((1n << 100n) + (1n << 76n) + 1n)).toBe(2 ** 100 + 2 ** 77);
    expect(values.convert(uint128, float32)((1n << 128n) - 1n)).toBe(Infinity);
  });

  test.each<[number, IntegerScalar, ConcreteValue]>([
    [-1.9, int32, -1],
    [2 ** 31, int32, -(2 ** 31)],
    [2 ** 40 + 7, uint8, 7],
    [1e300, int64, 0n],
    [NaN, int32, 0],
    [Infinity, uint64, 0n],
    [-0.5, int32, 0],
  ])('%p as an integer', (value, to, expected) => {
    expect(values.convert(float64, to)(value)).toBe(expected);
  });

  test('NaN compares as C says', () => {
    const results = (['eq', 'ne', 'lt', 'le'] as const).map((operator) => values.compare(operator, float64)(NaN, NaN));
    expect(results).toEqual([0, 1, 0, 0]);
    expect(values.compare('eq', float64)(0, -0)).toBe(1);
  });
});

describe('pointers', () => {
  const long = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });

  test('integers survive the way through a pointer, and only null is null', () => {
    fc.assert(
      fc.property(long, (n) => {
        expect(addressOf(pointerAt(n, 'lp64'), 'lp64')).toBe(n);
        expect(addressOf(pointerAt(n, 'ilp32'), 'ilp32')).toBe(BigInt.asUintN(32, n));
        expect(pointerAt(n, 'lp64') === 0).toBe(n === 0n);
        expect(values.convert(pointer, uint64)(values.convert(uint64, pointer)(n))).toBe(n);
        expect(small.convert(pointer, uint32)(small.convert(uint64, pointer)(n))).toBe(Number(n & 0xffff_ffffn));
      }),
    );
    expect(values.convert(pointer, int32)(values.convert(int32, pointer)(-1))).toBe(-1);
  });

  test('an offset moves within its half and leaves the object alone', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff_ffff),
        fc.integer(),
        fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
        (object, offset, delta) => {
          const moved = values.offset(pointerTo(object, offset), delta);
          expect(objectNumber(moved)).toBe(object);
          expect(BigInt(offsetBytes(moved))).toBe(BigInt.asIntN(32, BigInt(offset) + delta));
          expect(values.offset(moved, -delta)).toBe(pointerTo(object, offset));
        },
      ),
    );
    expect(offsetBytes(small.offset(pointerTo(3, 0x7fff), 1n))).toBe(-0x8000);
    expect(addressOf(small.offset(pointerTo(3), -1n), 'ilp32')).toBe(0x2_ffffn);
  });

  test('their order is that of object and signed offset', () => {
    const place = fc.tuple(
      fc.oneof(fc.nat(3), fc.constantFrom(0x1f_ffff, 0x20_0000, 0xffff_ffff)),
      fc.integer({ min: -3, max: 3 }),
    );
    fc.assert(
      fc.property(place, place, ([o, x], [p, y]) => {
        const [a, b] = [pointerTo(o, x), pointerTo(p, y)];
        expect(values.compare('lt', pointer)(a, b)).toBe(Number(o < p || (o === p && x < y)));
        expect(values.compare('le', pointer)(a, b)).toBe(Number(o < p || (o === p && x <= y)));
        expect(values.compare('eq', pointer)(a, b)).toBe(Number(o === p && x === y));
      }),
    );
  });
});

test('a conditional looks at any scalar', () => {
  const pick = (condition: ConcreteValue, of: Scalar) =>
    values.conditional(condition, of, 'then' as never, 'otherwise' as never);
  expect([pick(0, int32), pick(-1, int8), pick(0n, int64), pick(1n, uint64), pick(0, pointer)]).toEqual([
    'otherwise',
    'then',
    'otherwise',
    'then',
    'otherwise',
  ]);
});
