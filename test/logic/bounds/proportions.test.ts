/** The law of proportions. */
import * as fc from 'fast-check';
import { bits, bitsSort, evaluate, mul, sdiv, signExtend, symbol, udiv, zeroExtend } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { proportionLaws } from '../../../src/logic/bounds/proportions';
import { verify } from '../../../src';
import { file, task } from '../../engines/task';

const [x, y, z] = ['x', 'y', 'z'].map((name) => symbol(name, bitsSort(8))) as [Term, Term, Term];
const anyByte = fc.oneof(fc.bigInt({ min: 0n, max: 255n }), fc.constantFrom(0n, 1n, 127n, 128n, 255n));

test('it holds of all words', () => {
  const signed = sdiv(mul(signExtend(x, 16), signExtend(y, 16)), signExtend(z, 16));
  const unsigned = udiv(mul(zeroExtend(x, 16), zeroExtend(y, 16)), zeroExtend(z, 16));
  for (const term of [signed, unsigned]) {
    const laws = proportionLaws(term);
    expect(laws).toHaveLength(2);
    fc.assert(
      fc.property(anyByte, anyByte, anyByte, (a, b, c) => {
        const at = (s: Term) => (s === x ? a : s === y ? b : c);
        for (const law of laws) expect(evaluate(law, at)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  }
});

test('none of a product that may wrap, nor of a quotient by a constant', () => {
  expect(proportionLaws(sdiv(mul(x, y), z))).toEqual([]);
  expect(proportionLaws(sdiv(mul(signExtend(x, 15), signExtend(y, 15)), signExtend(z, 15)))).toEqual([]);
  expect(proportionLaws(sdiv(mul(signExtend(x, 16), signExtend(y, 16)), bits(3n, 16)))).toEqual([]);
});

const between = (unless: string): string => `
  int between(short x, short x0, short x1, short y0, short y1) {
    if (${unless}) return 0;
    int y = y0 + (int)((long)(y1 - y0) * (x - x0) / (x1 - x0));
    return 1000000000 / (y + 32769);
  }`;

test.each([
  ['x0 >= x1 || x < x0 || x > x1', 'proved'],
  ['x0 >= x1 || x < x0', 'not proved'],
  ['x0 > x1 || x < x0 || x > x1', 'not proved'],
])(
  'an interpolation, unless %s: %s',
  async (unless, expected) => {
    const { kind } = await verify(
      task(file(between(unless)), { budget: { milliseconds: expected === 'proved' ? 20_000 : 3_000 } }),
    );
    expect(kind === 'proved' ? kind : 'not proved').toBe(expected);
  },
  60_000,
);
